import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { ending } from './access-locks.ts'
import { ofOtherClients, ofUsers, revokeSql } from './revoke.sql.ts'
import { deleteTokens } from './revoke.ts'

/** Hashes of tokens that stay valid. */
export interface KeptAccess {
  readonly browserSessions?: readonly string[]
  readonly accessTokens?: readonly string[]
  readonly refreshTokens?: readonly string[]
}

/**
 * Ends all access of users to an org: browser sessions, access tokens, refresh tokens, and codes that could be exchanged
 * for tokens.
 */
export const endAccess = (
  db: Db,
  org: Org,
  userIds: readonly string[],
  kept: KeptAccess = {},
): Promise<void> =>
  ending(db, org, { userIds }, async (tx) => {
    await deleteTokens(tx, ofUsers(org, userIds), kept)
    await tx.query(revokeSql.browserSessions(ofUsers(org, userIds), kept.browserSessions))
  })

/** The same but for refresh tokens and codes, which are refused while a user is inactive. */
export const endSessions = (db: Db, org: Org, userIds: readonly string[]): Promise<void> =>
  ending(db, org, { userIds }, async (tx) => {
    await tx.query(revokeSql.sessions(ofUsers(org, userIds)))
    await tx.query(revokeSql.browserSessions(ofUsers(org, userIds)))
  })

/**
 * Ends the access that apps and users have left in an org after its records were replaced as a whole: of apps that are not
 * among the working ones, and of users who are inactive or do not exist. Call it in the transaction that replaced them.
 * @param working client ids, with those of built-in apps
 */
export const endLeftAccess = (db: Db, org: Org, working: readonly string[]): Promise<void> =>
  ending(db, org, 'all', async (tx) => {
    await deleteTokens(tx, ofOtherClients(org, working))
    const left = await tx.query<{ id: string; isInactive: boolean }>(revokeSql.usersLeft(org))
    const idsOf = (inactive: boolean) =>
      left.filter((user) => user.isInactive === inactive).map(({ id }) => id)
    await endSessions(tx, org, idsOf(true))
    await endAccess(tx, org, idsOf(false))
  })
