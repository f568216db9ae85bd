import type { Route } from '../../calls/route.ts'
import { appRoutes } from './apps.ts'
import { importRoutes } from './imports.ts'
import { orgRoutes } from './orgs.ts'
import type { Platform } from './platform.ts'
import { recomputeRoutes } from './recompute.ts'
import { schemaRoutes } from './schema.ts'
import { snapshotRoutes } from './snapshots.ts'
import { userRoutes } from './users.ts'
import { whyRoutes } from './why.ts'

/** Every resource of the set-up door, below `/setup`. */
export const setupRoutes = (platform: Platform): readonly Route[] => [
  ...orgRoutes(platform),
  ...appRoutes(platform),
  ...schemaRoutes(platform),
  ...snapshotRoutes(platform),
  ...whyRoutes(platform),
  ...recomputeRoutes,
  ...importRoutes,
  ...userRoutes,
]
