/** Versions that brought the calls made of calls. (docs/reference/api/composite.md#batch, docs/reference/api/composite.md#trees, docs/reference/api/composite.md#collections) */
export const BATCH_SINCE = 34
export const TREE_SINCE = 34
export const COLLECTIONS_SINCE = 42
export const GRAPH_SINCE = 50
