import { secondsNow } from '../../base/clock.ts'
import { findAppInOrg } from '../apps/find-app.ts'
import { provenClient } from '../apps/proven-client.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { checkVerifier } from '../oauth/pkce.ts'
import { asksForRefresh } from '../oauth/scopes.ts'
import { type AuthorizationCode, CODE_SECONDS, findCode, useCode } from '../tokens/authorization-codes.ts'
import { issueRefreshToken } from '../tokens/refresh-tokens.ts'
import { revokeFamily } from '../tokens/revoke.ts'
import { admittedUser } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant, TokenRequest } from './grant.ts'
import { requireParameter } from './require.ts'

class UsedCode extends Error {}

const expired = () => new OAuthError('invalid_grant', 'expired authorization code')

/** A code that is used twice may have been stolen: all tokens issued for it are revoked. */
async function refuseReplay({ db, sessions }: TokenRequest, code: AuthorizationCode): Promise<OAuthError> {
  await revokeFamily(db, code)
  sessions.expectRevocations()
  return expired()
}

/** Authorization code flow. (docs/reference/api/tokens.md#code-exchange) */
export const authorizationCode: Grant = async (request) => {
  const { db, clock, parameters } = request
  const client = await provenClient(
    request,
    request,
    ({ requireSecretForWebFlow }) => requireSecretForWebFlow,
  )
  const text = requireParameter(request, 'code')
  const redirectUri = requireParameter(request, 'redirect_uri')
  const code = await findCode(db, text)
  if (code === undefined || code.clientId !== client.clientId) {
    throw new OAuthError('invalid_grant', 'invalid authorization code')
  }
  if (code.isUsed) throw await refuseReplay(request, code)
  const now = secondsNow(clock)
  if (now >= code.issuedAt + CODE_SECONDS) throw expired()
  if (redirectUri !== code.redirectUri) {
    throw new OAuthError('redirect_uri_mismatch', 'redirect_uri must match configuration')
  }
  const app = await findAppInOrg(db, client, code.org)
  if (app.requirePkce && code.challenge === null) {
    throw new OAuthError('invalid_grant', 'missing required code challenge')
  }
  checkVerifier(code.challenge, parameters.get('code_verifier'))
  const { org, userId, scopes, family, nonce } = code
  await admittedUser(request, app, org, userId)
  const links = { family, parentTokenHash: code.accessTokenHash ?? undefined }
  const granted = { app, org, userId, scopes, ...links, nonce, grantType: 'authorization_code' }
  try {
    return await giveTokens(request, granted, async (tx) => {
      if (!(await useCode(tx, code, clock()))) throw new UsedCode()
      const isLasting = asksForRefresh(scopes) && app.refreshTokenPolicy !== 'Immediately'
      return isLasting
        ? issueRefreshToken(tx, now, { family, clientId: app.clientId, org, userId, scopes })
        : undefined
    })
  } catch (error) {
    if (error instanceof UsedCode) throw await refuseReplay(request, code)
    throw error
  }
}
