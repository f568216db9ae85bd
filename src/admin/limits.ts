import { type Handler, type Route, route } from '../calls/route.ts'
import { loadHours } from '../quota/load-calls.ts'
import { countIn } from '../resources/requested-count.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

const USUAL_HOURS = 24
const MAX_HOURS = 47

/** When the calls of an org were made. (docs/reference/api/limits-and-versions.md#use-by-hour) */
const listUse =
  ({ quotaStore }: Platform): Handler<{ org: string }> =>
  async (ctx, call, params) => {
    const org = await requireOrg(ctx, params.org)
    const hours = countIn(call, 'hours', USUAL_HOURS, 1, MAX_HOURS)
    await quotaStore.writeDown(org.id)
    return { status: 200, body: { hours: await loadHours(ctx.db, org, ctx.clock(), hours) } }
  }

export const limitUseRoutes = (platform: Platform): readonly Route[] => [
  route('GET', '/orgs/:org/limits/usage', 'setup', listUse(platform)),
]
