import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import { PLATFORM_CLI } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { hashToken } from '../oauth/token-text.ts'
import { issuing } from './access-locks.ts'
import { sessionSql } from './sessions.sql.ts'
import type { Session, Sessions } from './sessions.ts'

const sessionEnded = () => new ApiError('INVALID_SESSION_ID', 'Session expired or invalid')

/**
 * Returns the hash of a token that others are issued under; undefined if it is not stored, and has no children.
 * @throws ApiError when it has ended
 */
export async function findParent(sessions: Sessions, parentToken: string): Promise<string | undefined> {
  const session = await sessions.find(parentToken)
  if (session === undefined) throw sessionEnded()
  return session.clientId === undefined ? undefined : hashToken(parentToken)
}

/** @throws ApiError when the token is revoked meanwhile, or too many others stand above it */
export async function lockParent(tx: Db, parentTokenHash: string): Promise<void> {
  const [parent] = await tx.query<{ mayHaveChildren: boolean }>(sessionSql.lockParent(parentTokenHash))
  if (parent === undefined) throw sessionEnded()
  if (!parent.mayHaveChildren)
    throw new ApiError(
      'INVALID_INPUT',
      'Too many tokens stand above this one: each gave the next. Log in again',
    )
}

/**
 * Issues a token for data under another one, perhaps of another org: it ends with that one, however that ends. What is given
 * to a token that is not stored is not stored either.
 * @throws ApiError
 */
export async function issueUnder(
  db: Db,
  sessions: Sessions,
  parentToken: string,
  { org, userId }: Pick<Session, 'org' | 'userId'>,
): Promise<string> {
  const parent = await sessions.find(parentToken)
  if (parent === undefined) throw sessionEnded()
  if (parent.clientId === undefined) return sessions.issueUnstored(org, userId)
  // An app belongs to one org; this one to all.
  const clientId = parent.org.id === org.id ? parent.clientId : PLATFORM_CLI.clientId
  const parentTokenHash = hashToken(parentToken)
  return issuing(db, { org, userId, app: { clientId } }, async (tx) => {
    await lockParent(tx, parentTokenHash)
    return sessions.issue({ org, userId, clientId, scopes: ['api'], grantType: 'admin', parentTokenHash }, tx)
  }).catch((error) => {
    if (!(error instanceof OAuthError)) throw error
    throw new ApiError('INVALID_INPUT', error.description)
  })
}
