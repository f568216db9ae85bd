import type { Db } from '../../storage/database/db.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { hashToken } from '../oauth/token-text.ts'
import { findRefreshToken } from '../tokens/refresh-tokens.ts'
import { revokeFamily, revokeSession } from '../tokens/revoke.ts'
import type { Sessions } from '../tokens/sessions.ts'

/**
 * Revokes a token. The token itself is the only credential. A refresh token's access tokens are revoked with it; revoking
 * an access token keeps its refresh token. (docs/reference/api/tokens.md#revocation)
 * @throws OAuthError
 */
export async function revokeToken(db: Db, sessions: Sessions, token: string | undefined): Promise<void> {
  if (token === undefined || token === '') {
    throw new OAuthError('invalid_request', 'missing required parameter: token')
  }
  const refresh = await findRefreshToken(db, token)
  if (refresh !== undefined) await revokeFamily(db, refresh)
  else if (!(await revokeSession(db, hashToken(token)))) {
    throw new OAuthError('invalid_token', 'invalid token')
  }
  sessions.expectRevocations()
}
