import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { endAccess, endSessions } from './end-access.ts'
import { leftAccessSql } from './left-access.sql.ts'
import { revokeClient } from './revoke.ts'

/**
 * Ends the access that apps and users have left in an org after its records were replaced as a whole: of apps that are not
 * among the working ones, and of users who are inactive or do not exist. Call it in the transaction that replaced them.
 * @param working client ids, with those of built-in apps
 */
export async function endLeftAccess(db: Db, org: Org, working: readonly string[]): Promise<void> {
  const clients = await db.query<{ id: string }>(leftAccessSql.clientsBut(org, working))
  for (const { id } of clients) await revokeClient(db, org, id)
  const users = await db.query<{ id: string; isInactive: boolean }>(leftAccessSql.users(org))
  for (const { id, isInactive } of users) {
    await (isInactive ? endSessions(db, org, id) : endAccess(db, org, id))
  }
}
