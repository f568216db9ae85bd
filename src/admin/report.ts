import { listApps } from '../auth/apps/find-app.ts'
import { ApiError } from '../base/api-error.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Journal } from '../faults/journal/journal.ts'
import { makeReport } from '../faults/journal/report.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

type InOrg = { readonly org: string }

/** Reports the quota cost of a test run, and how clients handled injected faults. */
export const reportRoutes = ({ journal }: Platform): readonly Route[] => {
  const kept = (): Journal => {
    if (journal !== undefined) return journal
    throw new ApiError('INSUFFICIENT_ACCESS', 'No journal is kept: start the server with --allow-faults')
  }

  const read: Handler<InOrg> = async (ctx, _call, params) => {
    const org = await requireOrg(ctx, params.org)
    const entries = await kept().read(org)
    const names = new Map((await listApps(ctx.db, org)).map(({ clientId, name }) => [clientId, name]))
    return { status: 200, body: makeReport(entries, (clientId) => names.get(clientId) ?? clientId) }
  }

  const clear: Handler<InOrg> = async (ctx, _call, params) => {
    await kept().clear(await requireOrg(ctx, params.org))
    return noContent
  }

  return [
    route('GET', '/orgs/:org/report', 'setup', read),
    route('DELETE', '/orgs/:org/report', 'setup', clear),
  ]
}
