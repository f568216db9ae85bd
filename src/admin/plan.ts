import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { planQuery } from '../soql/explain.ts'
import { checkOrg } from './orgs.ts'

/** How the database would run a query. (docs/reference/api/admin-api.md#plans) */
const plan: Handler<{ org: string }> = async (ctx, call, { org }) => {
  await checkOrg(ctx, org)
  const envelope = readEnvelope(call, ['query'])
  return { status: 200, body: await planQuery(ctx, envelope.required('query', envelope.text('query'))) }
}

export const planRoutes: readonly Route[] = [route('POST', '/orgs/:org/plan', 'setup', plan)]
