/** Versions that brought the calls made of calls. (contract/records 5, 6, 7) */
export const BATCH_SINCE = 34
export const TREE_SINCE = 34
export const COLLECTIONS_SINCE = 42
export const GRAPH_SINCE = 50
