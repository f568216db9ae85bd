import type { Db } from '../../storage/database/db.ts'
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

/** How long a retired token still gives an access token, in seconds: for workers that refresh at the same moment. */
const GRACE = 10

const expired = () => new OAuthError('invalid_grant', 'expired access/refresh token')

/** What the app may still be given of what was once granted, narrowed to what the request names. */
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

/** The token that a request presents, if it is the client's and still alive. */
async function presentedToken(request: TokenRequest, app: ConnectedApp, now: number): Promise<RefreshToken> {
  const { db, sessions } = request
  const token = await findRefreshToken(db, requireParameter(request, 'refresh_token'))
  if (token === undefined || token.clientId !== app.clientId) throw expired()
  if (token.retiredAt !== null && now > token.retiredAt + GRACE) {
    // Whoever kept the old one is not the one who has the new one: nobody knows which of them is a thief.
    await revokeFamily(db, token.family)
    sessions.expectRevocations()
    throw expired()
  }
  const end = endOfRefresh(app, token)
  if (end !== undefined && now >= end) throw expired()
  return token
}

/** Uses the token; with rotation the next one of its family takes its place. */
async function claimToken(
  tx: Db,
  app: ConnectedApp,
  token: RefreshToken,
  now: number,
): Promise<string | undefined> {
  const rotates = app.rotateRefreshTokens && token.retiredAt === null
  if (rotates && (await retireToken(tx, token, now))) return issueRefreshToken(tx, now, token)
  // Another request was first, a moment ago: its token is the next one.
  if (!(await markUsed(tx, token, now))) throw expired()
  return undefined
}

/** Another access token, while the user is away. (docs/reference/api/tokens.md#refresh) */
export const refreshToken: Grant = async (request) => {
  const app = await provenClient(request, request, ({ requireSecretForRefresh }) => requireSecretForRefresh)
  const now = request.clock().getTime() / 1000
  const token = await presentedToken(request, app, now)
  const { org, userId, family } = token
  const scopes = currentScopes(app, token.scopes, request.parameters.get('scope'))
  await admittedUser(request, app, org, userId)
  const granted = { app, org, userId, scopes, family, grantType: 'refresh_token' }
  return giveTokens(request, granted, (tx) => claimToken(tx, app, token, now))
}
