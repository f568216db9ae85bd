import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { refreshTokenSql } from './refresh-tokens.sql.ts'
import { sessionSql } from './sessions.sql.ts'

/*
 * Refresh tokens are revoked before their access tokens: a transaction that issues another access token holds the refresh
 * token's row, so that the new one exists when the access tokens are deleted.
 */

type Families = readonly { readonly family: string }[]

/** Revokes tokens, and those of consoles in browser sessions that they opened. */
async function revokeWithOpened(
  db: Db,
  opened: ReturnType<typeof sessionSql.revoke>,
  revoke: ReturnType<typeof sessionSql.revoke>,
): Promise<boolean> {
  const families = await db.query<Families[number]>(opened)
  const [gone] = await db.query(revoke)
  for (const { family } of families) await db.query(sessionSql.revokeFamily(family))
  return gone !== undefined
}

/** Revokes one access token. Returns false if there is none. */
export function revokeSession(db: Db, hash: string): Promise<boolean> {
  return revokeWithOpened(db, sessionSql.openedBy(hash), sessionSql.revoke(hash))
}

/** Revokes all tokens of one approval. */
export async function revokeFamily(db: Db, family: string): Promise<void> {
  await db.query(refreshTokenSql.deleteFamily(family))
  await revokeWithOpened(db, sessionSql.openedByFamily(family), sessionSql.revokeFamily(family))
}

/** Revokes all tokens of an app. */
export async function revokeClient(db: Db, org: Org, clientId: string): Promise<void> {
  await db.query(refreshTokenSql.deleteClient(org, clientId))
  await revokeWithOpened(db, sessionSql.openedByClient(org, clientId), sessionSql.revokeClient(org, clientId))
}

/** Revokes all tokens of an org before it is dropped, since other processes have cached them. */
export async function revokeOrg(db: Db, org: Org): Promise<void> {
  await db.query(sessionSql.revokeOrg(org))
}
