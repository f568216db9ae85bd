import { blockApp } from '../auth/apps/block-app.ts'
import { createApp } from '../auth/apps/create-app.ts'
import { type ListedApp, listApps } from '../auth/apps/find-app.ts'
import { OLD_SECRET_SECONDS, rotateSecret } from '../auth/apps/rotate-secret.ts'
import { makeClientId, makeClientSecret } from '../auth/oauth/token-text.ts'
import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { envelopeOf } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { loadCallsByApp } from '../quota/load-calls.ts'
import type { Org } from '../storage/orgs/org.ts'
import { orgOf } from './orgs.ts'
import type { Platform } from './platform.ts'
import { readNewApp } from './read-new-app.ts'

type InOrg = { readonly org: string }
type Named = InOrg & { readonly app: string }

/** Longest time that two secrets live side by side, in seconds. */
const MAX_OVERLAP = 30 * 24 * 3600

/** What is told of an app; never a secret, and no certificate: those are read as fields of its record. */
const shown = (
  { id, clientId, name, scopes, hasSecret, isBlocked, dailyCallBudget }: ListedApp,
  calls: ReadonlyMap<string, number>,
) => ({
  ...{ id, clientId, name, scopes },
  isPublic: !hasSecret,
  isBlocked,
  calls: calls.get(clientId) ?? 0,
  dailyCallBudget,
})

/**
 * The app that a path names: by client id, by the id of its record, or by a name that no other app of the org has.
 * @throws ApiError
 */
async function appOf(ctx: Context, org: Org, named: string): Promise<ListedApp> {
  const apps = await listApps(ctx.db, org)
  const id = canonicalRecordId(named)
  const exact = apps.find((app) => app.clientId === named || app.id === id)
  if (exact !== undefined) return exact
  const [found, ...others] = apps.filter(({ name }) => name.toLowerCase() === named.toLowerCase())
  if (found === undefined) throw new ApiError('NOT_FOUND', 'There is no app of that name or client id')
  if (others.length === 0) return found
  throw new ApiError(
    'INVALID_INPUT',
    'Several apps have that name: say the client id of the one that is meant',
  )
}

/** The connected apps of an org: made, listed, given new secrets, blocked. What else they are is fields of a record. */
export const appRoutes = ({ runtimes, secrets, sessions, clock, quotaStore }: Platform): readonly Route[] => {
  const list: Handler<InOrg> = async (ctx, _call, params) => {
    const org = await orgOf(ctx, params.org)
    const apps = await listApps(ctx.db, org)
    await quotaStore.writeDown(org.id)
    const calls = await loadCallsByApp(ctx.db, org, ctx.clock())
    return { status: 200, body: apps.map((app) => shown(app, calls)) }
  }

  const create: Handler<InOrg> = async (ctx, call, params) => {
    const org = await orgOf(ctx, params.org)
    const { settings, isPublic } = await readNewApp(ctx.db, org, call)
    const clientId = makeClientId()
    const clientSecret = isPublic ? undefined : makeClientSecret()
    const maker = { userId: ctx.principal.userId, now: ctx.clock(), ids: runtimes.of(org).ids }
    const id = await createApp(ctx.db, secrets, org, { ...settings, clientId, clientSecret }, maker)
    return { status: 201, body: { id, name: settings.name, clientId, clientSecret: clientSecret ?? null } }
  }

  const rotate: Handler<Named> = async (ctx, call, params) => {
    const org = await orgOf(ctx, params.org)
    const { clientId, name } = await appOf(ctx, org, params.app)
    const envelope = call.body === undefined ? undefined : envelopeOf(call, ['overlapSeconds'])
    const overlap = envelope?.count('overlapSeconds') ?? OLD_SECRET_SECONDS
    if (overlap > MAX_OVERLAP) {
      throw envelope!.refusal(`"overlapSeconds" is at most ${MAX_OVERLAP}`, 'overlapSeconds')
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
      const org = await orgOf(ctx, params.org)
      const { clientId } = await appOf(ctx, org, params.app)
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
