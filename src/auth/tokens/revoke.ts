import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { authorizationCodeSql } from './authorization-codes.sql.ts'
import { deviceCodeSql } from './device-codes.sql.ts'
import { refreshTokenSql } from './refresh-tokens.sql.ts'
import { sessionSql } from './sessions.sql.ts'

/*
 * Codes and refresh tokens are revoked before access tokens: a transaction that issues another access token holds the row
 * of what it is issued for, so that the new one exists when the access tokens are deleted. What access tokens have opened,
 * and the tokens given there, the database deletes with them.
 */

/** Revokes one access token. Returns false if there is none. */
export async function revokeSession(db: Db, hash: string): Promise<boolean> {
  const [gone] = await db.query(sessionSql.revoke(hash))
  return gone !== undefined
}

/** Revokes all tokens of one approval, and its code. */
export async function revokeFamily(db: Db, family: string): Promise<void> {
  await db.query(authorizationCodeSql.deleteOfFamily(family))
  await db.query(refreshTokenSql.deleteFamily(family))
  await db.query(sessionSql.revokeFamily(family))
}

/** Revokes all tokens of an app, and the codes that it could exchange for others. */
export async function revokeClient(db: Db, org: Org, clientId: string): Promise<void> {
  await db.query(authorizationCodeSql.deleteOfClient(org, clientId))
  await db.query(deviceCodeSql.deleteOfClient(org, clientId))
  await db.query(refreshTokenSql.deleteClient(org, clientId))
  await db.query(sessionSql.revokeClient(org, clientId))
}

/** Revokes all tokens of an org before it is dropped, since other processes have cached them. */
export async function revokeOrg(db: Db, org: Org): Promise<void> {
  await db.query(sessionSql.revokeOrg(org))
}
