import { type ClockOf, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { findApp } from '../apps/find-app.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { hashToken } from '../oauth/token-text.ts'
import { findStoredSession } from '../tokens/find-session.ts'
import { endOfRefresh, findRefreshToken } from '../tokens/refresh-tokens.ts'
import { findUser } from '../users/users.ts'

/** A valid token of either kind. Times in seconds since 1970. */
interface LiveToken {
  readonly kind: 'access_token' | 'refresh_token'
  readonly org: Org
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly end: number | undefined
}

async function findAccessToken(db: Db, token: string): Promise<LiveToken | undefined> {
  const session = await findStoredSession(db, hashToken(token))
  // Tokens of the password flow cannot be introspected. (docs/reference/api/tokens.md#password)
  if (session === undefined || session.grantType === 'password') return undefined
  return { ...session, kind: 'access_token', end: session.lastUsedAt + session.idleSeconds }
}

async function refreshToken(db: Db, token: string): Promise<LiveToken | undefined> {
  const found = await findRefreshToken(db, token)
  if (found === undefined || found.retiredAt !== null) return undefined
  const app = await findApp(db, found.clientId, found.org)
  return app && { ...found, kind: 'refresh_token', end: endOfRefresh(app, found) }
}

/** True if the token was issued to the app, or the app may introspect all tokens of its org. */
function mayIntrospect(app: ConnectedApp, { clientId, org }: LiveToken): boolean {
  return clientId === app.clientId || (app.introspectAll && app.org?.id === org.id)
}

const INACTIVE = { active: false } as const

/**
 * The introspection response. Any problem with the token makes it inactive. (docs/reference/api/tokens.md#introspection)
 * @param app the client of the request
 * @param identityOf returns the URL of a user's identity
 * @param clockOf access tokens use the org's clock, refresh tokens the system clock
 */
export async function introspect(
  db: Db,
  app: ConnectedApp,
  token: string,
  identityOf: (org: Org, userId: string) => Promise<string>,
  clockOf: ClockOf,
): Promise<Readonly<Record<string, string | number | boolean>>> {
  const found = (await findAccessToken(db, token)) ?? (await refreshToken(db, token))
  if (found === undefined || !mayIntrospect(app, found)) return INACTIVE
  const { kind, org, clientId, userId, scopes, issuedAt, end } = found
  const clock = clockOf(kind === 'access_token' ? org.id : undefined)
  if (end !== undefined && secondsNow(clock) >= end) return INACTIVE
  const user = await findUser(db, org, userId)
  if (user?.isActive !== true) return INACTIVE
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    username: user.username,
    sub: await identityOf(org, userId),
    token_type: kind,
    ...(end !== undefined && { exp: Math.floor(end) }),
    iat: Math.floor(issuedAt),
    nbf: Math.floor(issuedAt),
  }
}
