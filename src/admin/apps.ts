import { blockApp, OLD_SECRET_SECONDS, rotateSecret } from '../auth/apps/change-app.ts'
import { createApp } from '../auth/apps/create-app.ts'
import { type ListedApp, listApps } from '../auth/apps/find-app.ts'
import { makeClientId, makeClientSecret } from '../auth/oauth/token-text.ts'
import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { loadCallsByApp } from '../quota/load-calls.ts'
import type { Org } from '../storage/orgs/org.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { readNewApp } from './read-new-app.ts'
import type { ShownApp } from './shown-app.ts'

type InOrg = { readonly org: string }
type Named = InOrg & { readonly app: string }

/** Maximum time that two secrets of an app are valid at the same time. */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600

/** The properties of an app in responses. Never a secret; certificates are read as fields of its record. */
const shown = (
  { id, clientId, name, scopes, hasSecret, isBlocked, dailyCallBudget }: ListedApp,
  calls: ReadonlyMap<string, number>,
): ShownApp => ({
  ...{ id, clientId, name, scopes },
  isPublic: !hasSecret,
  isBlocked,
  calls: calls.get(clientId) ?? 0,
  dailyCallBudget,
})

/**
 * Finds an app by client id, record id, or a name that is unique in the org.
 * @throws ApiError
 */
async function findApp(ctx: Context, org: Org, named: string): Promise<ListedApp> {
  const apps = await listApps(ctx.db, org)
  const id = canonicalRecordId(named)
  const exact = apps.find((app) => app.clientId === named || app.id === id)
  if (exact !== undefined) return exact
  const [found, ...others] = apps.filter(({ name }) => name.toLowerCase() === named.toLowerCase())
  if (found === undefined) throw new ApiError('NOT_FOUND', 'There is no app of that name or client id')
  if (others.length === 0) return found
  throw new ApiError('INVALID_INPUT', 'Several apps have that name: use the client id')
}

/** Creates, lists and blocks connected apps, and rotates secrets. Other properties are fields of the record. */
export const appRoutes = ({ runtimes, secrets, sessions, clock, quotaStore }: Platform): readonly Route[] => {
  const list: Handler<InOrg> = async (ctx, _call, params) => {
    const org = await requireOrg(ctx, params.org)
    const apps = await listApps(ctx.db, org)
    await quotaStore.writeDown(org.id)
    const calls = await loadCallsByApp(ctx.db, org, ctx.clock())
    return { status: 200, body: apps.map((app) => shown(app, calls)) }
  }

  const create: Handler<InOrg> = async (ctx, call, params) => {
    const org = await requireOrg(ctx, params.org)
    const { settings, isPublic } = await readNewApp(ctx.db, org, call)
    const clientId = makeClientId()
    const clientSecret = isPublic ? undefined : makeClientSecret()
    const maker = { userId: ctx.principal.userId, now: ctx.clock(), ids: runtimes.of(org).ids }
    const id = await createApp(
      ctx.db,
      secrets,
      org,
      { ...settings, clientId, ...(clientSecret !== undefined && { clientSecret }) },
      maker,
    )
    return { status: 201, body: { id, name: settings.name, clientId, clientSecret: clientSecret ?? null } }
  }

  const rotate: Handler<Named> = async (ctx, call, params) => {
    const org = await requireOrg(ctx, params.org)
    const { clientId, name } = await findApp(ctx, org, params.app)
    const envelope = call.body === undefined ? undefined : readEnvelope(call, ['overlapSeconds'])
    const overlap = envelope?.count('overlapSeconds') ?? OLD_SECRET_SECONDS
    if (overlap > MAX_OVERLAP_SECONDS) {
      throw envelope!.refusal(`"overlapSeconds" is at most ${MAX_OVERLAP_SECONDS}`, 'overlapSeconds')
    }
    const now = clock()
    const clientSecret = await rotateSecret(ctx.db, secrets, org, clientId, now, overlap)
    if (clientSecret === undefined) throw new ApiError('NOT_FOUND', 'The app has no client in this org')
    const oldSecretUntil = new Date(now.getTime() + overlap * 1000).toISOString()
    return { status: 200, body: { name, clientId, clientSecret, oldSecretUntil } }
  }

  const setBlocked =
    (isBlocked: boolean): Handler<Named> =>
    async (ctx, _call, params) => {
      const org = await requireOrg(ctx, params.org)
      const { clientId } = await findApp(ctx, org, params.app)
      const by = { userId: ctx.principal.userId, now: ctx.clock() }
      await blockApp(ctx.db, org, clientId, isBlocked, by)
      sessions.expectRevocations()
      return noContent
    }

  return [
    route('GET', '/orgs/:org/apps', 'setup', list),
    route('POST', '/orgs/:org/apps', 'setup', create),
    route('POST', '/orgs/:org/apps/:app/rotate', 'setup', rotate),
    route('POST', '/orgs/:org/apps/:app/block', 'setup', setBlocked(true)),
    route('POST', '/orgs/:org/apps/:app/unblock', 'setup', setBlocked(false)),
  ]
}
