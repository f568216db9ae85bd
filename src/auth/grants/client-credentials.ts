import { provenClient } from '../apps/proven-client.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { findUser } from '../users/users.ts'
import { requireActive } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant } from './grant.ts'
import { unsupportedGrant } from './require.ts'

/** Client credentials flow: the app acts as its run-as user. (docs/reference/api/tokens.md#client-credentials) */
export const clientCredentials: Grant = async (request) => {
  const app = await provenClient(request, request)
  const { org, scopes, runAsUserId } = app
  if (org === undefined || !app.enableClientCredentials) throw unsupportedGrant()
  if (!(await request.isAtItsHost(org))) {
    throw new OAuthError('invalid_grant', 'request not supported on this domain')
  }
  if (runAsUserId === null) throw new OAuthError('invalid_grant', 'no client credentials user enabled')
  const user = requireActive(await findUser(request.db, org, runAsUserId))
  return giveTokens(request, { app, org, userId: user.id, scopes, grantType: 'client_credentials' })
}
