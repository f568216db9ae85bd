import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { metadataSql } from './metadata.sql.ts'

/** Has every process load users, groups and permissions of the org again once the transaction is committed. */
export async function bumpAccess(tx: Db, org: Org): Promise<void> {
  for (const statement of metadataSql.bumpAccess(org)) await tx.beforeCommit(statement)
}
