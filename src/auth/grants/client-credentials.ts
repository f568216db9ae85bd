import { findConnectedApp } from '../connected-apps.ts'
import { OAuthError } from '../oauth-error.ts'
import { secretMatches } from '../secret-hash.ts'
import { tokenResponse } from '../token-response.ts'
import { findUser } from '../users.ts'
import type { Grant } from './grant.ts'

/** An application in its own name: it works as the user that was set on it. (contract/auth 4) */
export const clientCredentials: Grant = async (request) => {
  const { clientId, clientSecret, db, sessions, clock, originOf } = request
  if (clientId === undefined) throw new OAuthError('invalid_request', 'missing required parameter: client_id')
  const app = await findConnectedApp(db, clientId)
  if (app === undefined) throw new OAuthError('invalid_client_id', 'client identifier invalid')
  if (clientSecret === undefined || !(await secretMatches(clientSecret, app.clientSecretHash))) {
    throw new OAuthError('invalid_client', 'invalid client credentials')
  }
  if (app.runAsUserId === null) throw new OAuthError('invalid_grant', 'no client credentials user enabled')
  const user = await findUser(db, app.org, app.runAsUserId)
  if (user?.isActive !== true) throw new OAuthError('inactive_user', 'user is inactive')
  return tokenResponse({
    accessToken: await sessions.issue(app, user.id),
    origin: await originOf(app.org),
    orgId: app.org.id,
    userId: user.id,
    scopes: app.scopes,
    clientSecret,
    issuedAt: clock(),
  })
}
