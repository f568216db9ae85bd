import { ingestRoutes } from '../bulk/ingest/ingest-routes.ts'
import { queryJobRoutes } from '../bulk/query/query-routes.ts'
import type { Route } from '../calls/route.ts'
import { collectionRoutes } from '../composite/collections/collections.ts'
import { readCollectionRoutes } from '../composite/collections/read-collection.ts'
import { treeRoutes } from '../composite/trees/tree.ts'
import { graphqlRoutes } from '../graphql/graphql.ts'
import { changeRoutes } from './changes.ts'
import { compositeRoutes } from './composite.ts'
import { defaultValueRoutes } from './default-values.ts'
import { describeRoutes } from './describe.ts'
import { externalIdRoutes } from './external-ids.ts'
import { layoutRoutes } from './layouts.ts'
import { limitRoutes } from './limits.ts'
import { listViewRoutes } from './list-views.ts'
import { passwordRoutes } from './passwords.ts'
import { preferenceRoutes } from './preferences.ts'
import { queryRoutes } from './query.ts'
import { recentRoutes } from './recent.ts'
import { recordRoutes } from './records.ts'
import { relatedRoutes } from './related.ts'
import { resourceMapRoutes } from './resource-map.ts'
import { searchRoutes } from './search.ts'
import { searchSuggestionRoutes } from './search-suggestions.ts'
import { tabRoutes } from './tabs.ts'

/** Every route of the data API. */
export const ROUTES: readonly Route[] = [
  ...resourceMapRoutes,
  ...describeRoutes,
  ...changeRoutes,
  ...layoutRoutes,
  ...defaultValueRoutes,
  ...tabRoutes,
  ...recentRoutes,
  ...recordRoutes,
  ...passwordRoutes,
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
]
