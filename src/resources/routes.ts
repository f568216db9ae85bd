import { ingestRoutes } from '../bulk/ingest/ingest-routes.ts'
import { queryJobRoutes } from '../bulk/query/query-routes.ts'
import { type Route, route } from '../calls/route.ts'
import { batch } from '../composite/batch.ts'
import { collectionRoutes } from '../composite/collections/collections.ts'
import { readCollectionRoutes } from '../composite/collections/read-collection.ts'
import { BATCH_SINCE, composite, GRAPH_SINCE, listComposites } from '../composite/composite.ts'
import { graph } from '../composite/graphs/graph.ts'
import { treeRoutes } from '../composite/trees/tree.ts'
import { graphqlRoutes } from '../graphql/graphql.ts'
import { deployRoutes } from '../metadata/deploy/deploy-routes.ts'
import { changeRoutes } from './changes.ts'
import { defaultValueRoutes } from './default-values.ts'
import { describeRoutes, tabRoutes } from './describe.ts'
import { eventSchemaRoutes } from './event-schemas.ts'
import { externalIdRoutes } from './external-ids.ts'
import { layoutRoutes } from './layouts.ts'
import { limitRoutes } from './limits.ts'
import { listViewRoutes } from './list-views.ts'
import { passwordRoutes } from './passwords.ts'
import { preferenceRoutes } from './preferences.ts'
import { pushRoutes } from './push.ts'
import { queryRoutes } from './query.ts'
import { recentRoutes } from './recent.ts'
import { recordRoutes } from './records.ts'
import { relatedRoutes } from './related.ts'
import { resourceMapRoutes } from './resource-map.ts'
import { searchRoutes } from './search.ts'
import { searchSuggestionRoutes } from './search-suggestions.ts'
import { toolingRoutes } from './tooling.ts'

/** Calls made of calls. (docs/reference/api/composite.md#several-operations-in-one-call) */
const compositeRoutes = [
  route('GET', '/composite', 'composite', listComposites),
  route('POST', '/composite', 'composite', composite),
  route('POST', '/composite/batch', 'composite', batch, BATCH_SINCE),
  route('POST', '/composite/graph', 'composite', graph, GRAPH_SINCE),
]

/** Every route of the data API. */
export const ROUTES: readonly Route[] = [
  ...resourceMapRoutes,
  ...describeRoutes,
  ...eventSchemaRoutes,
  ...changeRoutes,
  ...layoutRoutes,
  ...defaultValueRoutes,
  ...tabRoutes,
  ...recentRoutes,
  ...recordRoutes,
  ...passwordRoutes,
  ...pushRoutes,
  ...externalIdRoutes,
  ...relatedRoutes,
  ...queryRoutes,
  ...listViewRoutes,
  ...searchRoutes,
  ...searchSuggestionRoutes,
  ...limitRoutes,
  ...preferenceRoutes,
  ...collectionRoutes,
  ...readCollectionRoutes,
  ...treeRoutes,
  ...compositeRoutes,
  ...graphqlRoutes,
  ...ingestRoutes,
  ...queryJobRoutes,
  ...deployRoutes,
  ...toolingRoutes,
]
