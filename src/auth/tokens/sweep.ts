import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { authorizationCodeSql } from './authorization-codes.sql.ts'
import { deviceCodeSql } from './device-codes.sql.ts'
import { refreshTokenSql } from './refresh-tokens.sql.ts'
import { sessionSql } from './sessions.sql.ts'
import { usedAssertionSql } from './used-assertions.sql.ts'

/* In seconds. A code is kept longer than it lives, so that its second use is noticed. */
const CODES_KEPT_SECONDS = 24 * 3600
const DEVICES_KEPT_SECONDS = 3600
const RETIRED_KEPT_SECONDS = 30 * 24 * 3600

/**
 * Deletes expired tokens and codes of an org.
 * @param now seconds since 1970
 */
export async function sweepTokens(db: Db, org: Org, now: number): Promise<void> {
  await db.query(sessionSql.deleteExpired(org, now))
  await db.query(sessionSql.deleteOldRevocations)
  await db.query(authorizationCodeSql.deleteOld(org, now - CODES_KEPT_SECONDS))
  await db.query(deviceCodeSql.deleteOld(org, now - DEVICES_KEPT_SECONDS))
  await db.query(usedAssertionSql.deleteExpired(org, now))
  await db.query(refreshTokenSql.deleteRetired(org, now - RETIRED_KEPT_SECONDS))
}
