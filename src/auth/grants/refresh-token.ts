import { secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import { findAppInOrg } from '../apps/find-app.ts'
import { provenClient } from '../apps/proven-client.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { asksForRefresh, coversScopes } from '../oauth/scopes.ts'
import {
  endOfRefresh,
  findRefreshToken,
  issueRefreshToken,
  markUsed,
  type RefreshToken,
  retireToken,
} from '../tokens/refresh-tokens.ts'
import { revokeFamily } from '../tokens/revoke.ts'
import { admittedUser } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant, TokenRequest } from './grant.ts'
import { requireParameter } from './require.ts'

/** How long a retired token can still be used, for workers that refresh at the same time. */
const GRACE_SECONDS = 10

const expired = () => new OAuthError('invalid_grant', 'expired access/refresh token')

/** The granted scopes that the app still has, restricted to those that the request names. */
function currentScopes(
  app: ConnectedApp,
  granted: readonly string[],
  requested: string | undefined,
): readonly string[] {
  const left = granted.filter((scope) => coversScopes(app.scopes, [scope]))
  if (!asksForRefresh(left)) throw expired()
  const wanted = [...new Set((requested ?? '').split(/\s+/).filter((scope) => scope !== ''))]
  if (wanted.length === 0) return left
  if (coversScopes(left, wanted)) return wanted
  throw new OAuthError('invalid_scope', 'the requested scope is not allowed')
}

/** The token of a request, if it belongs to the client and is valid, with the app as the org of the token has it. */
async function findPresentedToken(
  request: TokenRequest,
  client: ConnectedApp,
  now: number,
): Promise<{ readonly token: RefreshToken; readonly app: ConnectedApp }> {
  const { db, sessions } = request
  const token = await findRefreshToken(db, requireParameter(request, 'refresh_token'))
  if (token === undefined || token.clientId !== client.clientId) throw expired()
  if (token.retiredAt !== null && now > token.retiredAt + GRACE_SECONDS) {
    // Either the sender of the old token or the holder of the new one may be a thief; which one is unknown.
    await revokeFamily(db, token)
    sessions.expectRevocations()
    throw expired()
  }
  const app = await findAppInOrg(db, client, token.org)
  const end = endOfRefresh(app, token)
  if (end !== undefined && now >= end) throw expired()
  return { token, app }
}

/** Consumes the token; with rotation, the next one of its family replaces it. */
async function claimToken(
  tx: Db,
  app: ConnectedApp,
  token: RefreshToken,
  now: number,
): Promise<string | undefined> {
  const rotates = app.rotateRefreshTokens && token.retiredAt === null
  if (rotates && (await retireToken(tx, token, now))) return issueRefreshToken(tx, now, token)
  // A concurrent request was faster: its token is the next one.
  if (!(await markUsed(tx, token, now))) throw expired()
  return undefined
}

/** Issues another access token while the user is offline. (docs/reference/api/tokens.md#refresh) */
export const refreshToken: Grant = async (request) => {
  const client = await provenClient(
    request,
    request,
    ({ requireSecretForRefresh }) => requireSecretForRefresh,
  )
  const now = secondsNow(request.clock)
  const { token, app } = await findPresentedToken(request, client, now)
  const { org, userId, family } = token
  const scopes = currentScopes(app, token.scopes, request.parameters.get('scope'))
  await admittedUser(request, app, org, userId)
  const granted = { app, org, userId, scopes, family, grantType: 'refresh_token' }
  return giveTokens(request, granted, (tx) => claimToken(tx, app, token, now))
}
