import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { refreshTokenSql } from './refresh-tokens.sql.ts'
import { sessionSql } from './sessions.sql.ts'

/*
 * Refresh tokens go before the access tokens that they gave: whoever is about to give another one holds the refresh
 * token's row, so that one is there when the access tokens are deleted.
 */

/** Takes one access token away. False: there is none. */
export async function revokeSession(db: Db, hash: string): Promise<boolean> {
  const [gone] = await db.query(sessionSql.revoke(hash))
  return gone !== undefined
}

/** Takes away all tokens of one agreement. */
export async function revokeFamily(db: Db, family: string): Promise<void> {
  await db.query(refreshTokenSql.deleteFamily(family))
  await db.query(sessionSql.revokeFamily(family))
}

/** Takes away all tokens of an app. */
export async function revokeClient(db: Db, org: Org, clientId: string): Promise<void> {
  await db.query(refreshTokenSql.deleteClient(org, clientId))
  await db.query(sessionSql.revokeClient(org, clientId))
}

/** For an org that is about to be dropped: other processes know its tokens too. */
export async function revokeOrg(db: Db, org: Org): Promise<void> {
  await db.query(sessionSql.revokeOrg(org))
}
