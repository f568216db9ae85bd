import type { Db } from '../../storage/database/db.ts'
import { findWriteRefusal } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { signingSecret } from '../apps/prove-client.ts'
import { loadSigningKey } from '../keys/signing-keys.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { issuing } from '../tokens/access-locks.ts'
import { signIdToken } from '../tokens/id-token.ts'
import { tokenResponse } from '../tokens/token-response.ts'
import type { TokenAnswer, TokenRequest } from './grant.ts'

/** The result of a grant's checks. */
interface Granted {
  readonly app: ConnectedApp
  readonly org: Org
  readonly userId: string
  readonly scopes: readonly string[]
  readonly grantType: string
  readonly family?: string | undefined
  readonly parentTokenHash?: string | undefined
  readonly nonce?: string | null
}

/** Consumes the grant, such as a code, in one transaction with the new tokens. Returns the refresh token. */
type Claim = (tx: Db) => Promise<string | undefined>

/** At most a day: the record's field may hold any number. (docs/reference/api/tokens.md#sessions) */
const MAX_MINUTES = 1440

function getIdleSeconds({ sessionMinutes }: ConnectedApp): number | undefined {
  if (sessionMinutes === null) return undefined
  return Math.min(Math.max(sessionMinutes, 1), MAX_MINUTES) * 60
}

/** Issues tokens and makes the success body. Queries that need no transaction come before it. */
export async function giveTokens(
  request: TokenRequest,
  { app, org, userId, scopes, grantType, family, parentTokenHash, nonce }: Granted,
  claim?: Claim,
): Promise<TokenAnswer> {
  const { db, secrets, sessions, clock } = request
  const origin = await request.originOf(org)
  const key = scopes.includes('openid') ? await loadSigningKey(db, secrets, clock) : undefined
  const idleSeconds = getIdleSeconds(app)
  const { clientId } = app
  const { address } = request
  const links = { family, parentTokenHash }
  const token = { app, org, userId, scopes, clientId, grantType, ...links, address, idleSeconds }
  let refreshToken: string | undefined
  let accessToken: string
  try {
    accessToken = await issuing(db, token, async (tx) => {
      refreshToken = await claim?.(tx)
      return sessions.issue(token, tx)
    })
  } catch (error) {
    // Who consumes nothing gets a token while the database takes no writes.
    if (claim !== undefined || findWriteRefusal(error) === undefined) throw error
    accessToken = sessions.issueUnwritten(token)
  }
  const issuedAt = clock()
  const clientSecret = signingSecret(app, secrets, request.clientSecret)
  const body = tokenResponse({ accessToken, origin, orgId: org.id, userId, scopes, clientSecret, issuedAt })
  const idToken =
    key &&
    (await signIdToken(key, {
      issuer: request.origin,
      subject: body.id,
      clientId,
      nonce,
      accessToken,
      issuedAt,
    }))
  return {
    ...body,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(idToken !== undefined && { id_token: idToken }),
  }
}
