import type { Sql } from '../../base/sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { ending } from './access-locks.ts'
import { ofClient, ofFamily, ofOrg, ofToken, revokeSql } from './revoke.sql.ts'

/*
 * Access tokens come first: what they have opened, and the codes and tokens given there, the database deletes with them, in
 * this order.
 */

/** All tokens of one approval. */
interface Family {
  readonly org: Org
  readonly userId: string
  readonly family: string
}

/** Revokes one access token. Returns false if there is none. */
export async function revokeSession(db: Db, hash: string): Promise<boolean> {
  const [gone] = await db.query(revokeSql.sessions(ofToken(hash)))
  return gone !== undefined
}

/** Revokes all tokens of one approval, and its code. */
export const revokeFamily = (db: Db, { org, userId, family }: Family): Promise<void> =>
  ending(db, org, { userIds: [userId] }, (tx) => deleteFamily(tx, family))

/** Revokes the refresh tokens of an approval. Its access tokens stay, and expire. */
export const revokeRefreshTokens = (db: Db, { org, userId, family }: Family): Promise<void> =>
  ending(db, org, { userIds: [userId] }, async (tx) => {
    await tx.query(revokeSql.refreshTokens(ofFamily(family)))
  })

/** Revokes all tokens of one approval behind the lock of its user. */
export async function deleteFamily(tx: Db, family: string): Promise<void> {
  await tx.query(revokeSql.sessions(ofFamily(family)))
  await tx.query(revokeSql.authorizationCodes(ofFamily(family)))
  await tx.query(revokeSql.refreshTokens(ofFamily(family)))
}

/** Revokes all tokens of an app, and the codes that it could exchange for others. */
export const revokeClient = (db: Db, org: Org, clientId: string): Promise<void> =>
  ending(db, org, { clientId }, (tx) => deleteTokens(tx, ofClient(org, clientId)))

/**
 * Deletes tokens and codes behind a lock.
 * @param whose a condition of `revoke.sql.ts`
 * @param kept hashes of those that stay
 */
export async function deleteTokens(
  tx: Db,
  whose: Sql,
  kept: { readonly accessTokens?: readonly string[]; readonly refreshTokens?: readonly string[] } = {},
): Promise<void> {
  await tx.query(revokeSql.sessions(whose, kept.accessTokens))
  await tx.query(revokeSql.authorizationCodes(whose))
  await tx.query(revokeSql.deviceCodes(whose))
  await tx.query(revokeSql.refreshTokens(whose, kept.refreshTokens))
}

/** Revokes all tokens of an org before it is dropped, since other processes have cached them. */
export async function revokeOrg(db: Db, org: Org): Promise<void> {
  await db.query(revokeSql.sessions(ofOrg(org)))
}
