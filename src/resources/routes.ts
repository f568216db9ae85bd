import type { Route } from '../calls/route.ts'
import { compositeRoutes } from './composite.ts'
import { describeRoutes } from './describe.ts'
import { externalIdRoutes } from './external-ids.ts'
import { queryRoutes } from './query.ts'
import { recordRoutes } from './records.ts'
import { resourceMapRoutes } from './resource-map.ts'
import { searchRoutes } from './search.ts'

/** Every resource of the data door, on one page. */
export const ROUTES: readonly Route[] = [
  ...resourceMapRoutes,
  ...describeRoutes,
  ...recordRoutes,
  ...externalIdRoutes,
  ...queryRoutes,
  ...searchRoutes,
  ...compositeRoutes,
]
