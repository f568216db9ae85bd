import type { User } from '../auth/users/users.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { Access } from './access.ts'
import { loadMemberships, loadSets } from './load-memberships.ts'
import { loadRights } from './load-rights.ts'

/**
 * Loads the rights of a user for a call of another one. They are not cached, and takes no connection but that of `db`, which may be a
 * transaction.
 */
export async function loadAccess(db: Db, org: Org, schema: SchemaSnapshot, user: User): Promise<Access> {
  const sets = await loadSets(db, org, user)
  const rights = await loadRights(db, org, user.profileId, sets)
  return new Access(rights, await loadMemberships(db, org, schema, user), schema.changedAt)
}
