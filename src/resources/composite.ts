import { route } from '../calls/route.ts'
import { batch } from '../composite/batch.ts'
import { composite, listComposites } from '../composite/composite.ts'
import { graph } from '../composite/graphs/graph.ts'
import { BATCH_SINCE, GRAPH_SINCE } from '../composite/steps/since.ts'

/** Calls made of calls. (docs/reference/api/composite.md#several-operations-in-one-call) */
export const compositeRoutes = [
  route('GET', '/composite', 'composite', listComposites),
  route('POST', '/composite', 'composite', composite),
  route('POST', '/composite/batch', 'composite', batch, BATCH_SINCE),
  route('POST', '/composite/graph', 'composite', graph, GRAPH_SINCE),
]
