import { listApps } from '../auth/apps/find-app.ts'
import { ApiError } from '../base/api-error.ts'
import { makeApiVersion, releasedOn, releaseLabel } from '../base/api-version.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { getSupport } from '../calls/version-support.ts'
import { loadVersionCalls } from '../quota/load-calls.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

const USUAL_DAYS = 30
const MAX_DAYS = 365

function parseDays(text: string | null): number {
  if (text === null) return USUAL_DAYS
  const days = Number(text)
  if (/^\d{1,3}$/.test(text) && days >= 1 && days <= MAX_DAYS) return days
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', `days is a number from 1 to ${MAX_DAYS}`)
}

const formatDay = (date: Date | undefined) => date?.toISOString().slice(0, 10) ?? null

/**
 * Lists the API versions of the server, their retirement dates, and the clients that use them.
 * (docs/reference/api/limits-and-versions.md#versions)
 */
const list =
  ({ quotaStore }: Platform): Handler<{ org: string }> =>
  async (ctx, { query }, params) => {
    const { db, settings } = ctx
    const org = await requireOrg(ctx, params.org)
    const now = ctx.clock()
    const days = parseDays(query.get('days'))
    const names = new Map((await listApps(db, org)).map(({ clientId, name }) => [clientId, name]))
    await quotaStore.writeDown(org.id)
    const used = await loadVersionCalls(db, org, now, days)
    const majors = [...new Set([...settings.versions, ...settings.retirements.keys()])].sort((a, b) => a - b)
    const body = majors.map((major) => {
      const version = makeApiVersion(major)
      const calls = used.filter((one) => one.version === major)
      return {
        version: version.text,
        label: releaseLabel(version),
        released: formatDay(releasedOn(version)),
        retires: formatDay(settings.retirements.get(major)),
        support: getSupport(major, settings, now),
        calls: calls.reduce((sum, one) => sum + one.calls, 0),
        apps: calls.map(({ clientId, calls, lastDay }) => ({
          clientId: clientId === '' ? null : clientId,
          name: names.get(clientId) ?? null,
          calls,
          lastDay,
        })),
      }
    })
    return { status: 200, body }
  }

export const versionRoutes = (platform: Platform): readonly Route[] => [
  route('GET', '/orgs/:org/versions', 'setup', list(platform)),
]
