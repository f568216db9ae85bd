import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { planQuery } from '../soql/explain.ts'
import { appRoutes } from './apps.ts'
import { callRoutes } from './calls.ts'
import { clockRoutes } from './clock.ts'
import { clusterRoutes } from './cluster.ts'
import { commonDefinitionRoutes } from './common-definitions.ts'
import { faultRoutes } from './faults.ts'
import { formulaRoutes } from './formula.ts'
import { importRoutes } from './imports.ts'
import { jobRoutes } from './jobs.ts'
import { limitUseRoutes } from './limits.ts'
import { checkOrg, orgRoutes } from './orgs.ts'
import { originRoutes } from './origins.ts'
import type { Platform } from './platform.ts'
import { recomputeRoutes } from './recompute.ts'
import { reportRoutes } from './report.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schema.ts'
import { slowQueryRoutes } from './slow-queries.ts'
import { snapshotRoutes } from './snapshots.ts'
import { userAccessRoutes } from './user-access.ts'
import { userRoutes } from './users.ts'
import { versionRoutes } from './versions.ts'
import { webhookRoutes } from './webhooks.ts'
import { whyRoutes } from './why.ts'

/** How the database would run a query. (docs/reference/api/admin-api.md#plans) */
const plan: Handler<{ org: string }> = async (ctx, call, { org }) => {
  await checkOrg(ctx, org)
  const envelope = readEnvelope(call, ['query'])
  return { status: 200, body: await planQuery(ctx, envelope.required('query', envelope.text('query'))) }
}

const planRoutes: readonly Route[] = [route('POST', '/orgs/:org/plan', 'setup', plan)]

/** All routes of the admin API, below `/setup`. */
export const setupRoutes = (platform: Platform): readonly Route[] => [
  ...orgRoutes(platform),
  ...clusterRoutes,
  ...appRoutes(platform),
  ...originRoutes(platform),
  ...schemaRoutes(platform),
  ...commonDefinitionRoutes(platform),
  ...snapshotRoutes(platform),
  ...whyRoutes(platform),
  ...reportRoutes(platform),
  ...slowQueryRoutes(platform),
  ...callRoutes(platform),
  ...clockRoutes(platform),
  ...versionRoutes(platform),
  ...limitUseRoutes(platform),
  ...recomputeRoutes,
  ...formulaRoutes,
  ...planRoutes,
  ...importRoutes,
  ...userRoutes,
  ...userAccessRoutes(platform),
  ...resourceRoutes(platform),
  ...webhookRoutes(platform),
  ...jobRoutes(platform),
  ...faultRoutes(platform),
]
