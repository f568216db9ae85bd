import { provenClient } from '../apps/proven-client.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { checkPassword } from '../users/log-in.ts'
import { isPasswordStill } from '../users/passwords.ts'
import { requireAdmission } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant } from './grant.ts'
import { requireParameter, unsupportedGrant } from './require.ts'

/** The same error if the flow is disabled, the name is wrong or the password is wrong, so that it reveals nothing. */
const failure = () => new OAuthError('invalid_grant', 'authentication failure')

/** Password flow, for clients that support no other. Disabled by default. (docs/reference/api/tokens.md#password) */
export const password: Grant = async (request) => {
  const { settings } = request
  const app = await provenClient(request, request)
  const [username, secret] = [requireParameter(request, 'username'), requireParameter(request, 'password')]
  if (!settings.allowPasswordFlow) throw failure()
  const { org, scopes } = app
  if (org === undefined) throw unsupportedGrant()
  const logIn = await checkPassword(request, org, username, secret)
  if (logIn.refusal === 'inactive') throw new OAuthError('inactive_user', 'user is inactive')
  if (logIn.user === undefined || logIn.mustChange) throw failure()
  const { user, passwordHash } = logIn
  const userId = user.id
  await requireAdmission(request, app, org, userId)
  const granted = { app, org, userId, scopes, grantType: 'password' }
  const { scope, ...body } = await giveTokens(request, granted, async (tx) => {
    if (!(await isPasswordStill(tx, org, userId, passwordHash))) throw failure()
    return undefined
  })
  return body
}
