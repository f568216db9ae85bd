import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { endAccessSql } from './end-access.sql.ts'

/** Hashes of tokens that stay valid. */
export interface KeptAccess {
  readonly browserSessions?: readonly string[]
  readonly accessTokens?: readonly string[]
  readonly refreshTokens?: readonly string[]
}

/**
 * Ends all access of a user to an org: browser sessions, access tokens, refresh tokens, and codes that could be exchanged
 * for tokens. Call it in a transaction.
 */
export async function endAccess(db: Db, org: Org, userId: string, kept: KeptAccess = {}): Promise<void> {
  const { browserSessions = [], accessTokens = [], refreshTokens = [] } = kept
  // Codes and refresh tokens first: tokens issued for them meanwhile are revoked after that.
  await db.query(endAccessSql.authorizationCodes(org, userId))
  await db.query(endAccessSql.deviceCodes(org, userId))
  await db.query(endAccessSql.refreshTokens(org, userId, refreshTokens))
  await endSessions(db, org, userId, { browserSessions, accessTokens })
}

/** The same but for refresh tokens and codes, which are refused while a user is inactive. */
export async function endSessions(
  db: Db,
  org: Org,
  userId: string,
  { browserSessions = [], accessTokens = [] }: KeptAccess = {},
): Promise<void> {
  await db.query(endAccessSql.accessTokens(org, userId, accessTokens))
  await db.query(endAccessSql.browserSessions(org, userId, browserSessions))
}
