import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { endAccessSql } from './end-access.sql.ts'

/** What goes on, by the hashes of the tokens. */
export interface KeptAccess {
  readonly browserSessions?: readonly string[]
  readonly accessTokens?: readonly string[]
  readonly refreshTokens?: readonly string[]
}

/**
 * Ends everything that a user is logged in with in an org: browser sessions, access tokens, refresh tokens, and codes
 * that could become one. Call it in a transaction.
 */
export async function endAccess(db: Db, org: Org, userId: string, kept: KeptAccess = {}): Promise<void> {
  const { browserSessions = [], accessTokens = [], refreshTokens = [] } = kept
  // Codes and refresh tokens first: what they could still become is ended behind them.
  await db.query(endAccessSql.authorizationCodes(org, userId))
  await db.query(endAccessSql.deviceCodes(org, userId))
  await db.query(endAccessSql.refreshTokens(org, userId, refreshTokens))
  await endSessions(db, org, userId, { browserSessions, accessTokens })
}

/** The same without what begins another session: refresh tokens and codes are refused as long as a user is not active. */
export async function endSessions(
  db: Db,
  org: Org,
  userId: string,
  { browserSessions = [], accessTokens = [] }: KeptAccess = {},
): Promise<void> {
  await db.query(endAccessSql.accessTokens(org, userId, accessTokens))
  await db.query(endAccessSql.browserSessions(org, userId, browserSessions))
}
