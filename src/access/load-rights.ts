import type { User } from '../auth/users/users.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { Access } from './access.ts'
import { grantsSql, type OBJECT_PERMISSION_NAMES } from './grants.sql.ts'
import { loadMemberships, loadSets } from './load-memberships.ts'
import { type FieldRights, type ObjectRights, Rights } from './rights.ts'
import { SYSTEM_PERMISSION_NAMES, type SystemPermission } from './system-permission.ts'

type Named = { readonly name: string }
type ObjectGrant = Named & Readonly<Record<(typeof OBJECT_PERMISSION_NAMES)[number], boolean>>
type FieldGrant = Named & { readonly Read: boolean; readonly Edit: boolean }

const objectRights = (row: ObjectGrant): ObjectRights => ({
  read: row.Read,
  create: row.Create,
  edit: row.Edit,
  delete: row.Delete,
  viewAll: row.ViewAllRecords,
  modifyAll: row.ModifyAllRecords,
  viewAllFields: row.ViewAllFields,
  editAllFields: row.EditAllFields,
})

const byName = <Row extends Named, T>(rows: readonly Row[], make: (row: Row) => T): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.name, make(row)]))

/** Loads everything that a profile and permission sets grant. */
export async function loadRights(
  db: Db,
  org: Org,
  profileId: string,
  sets: readonly string[],
): Promise<Rights> {
  type SystemRow = Readonly<Record<SystemPermission, boolean | null>>
  const [system] = await db.query<SystemRow>(grantsSql.system(org, profileId, sets))
  const objects = await db.query<ObjectGrant>(grantsSql.objects(org, sets))
  const fields = await db.query<FieldGrant>(grantsSql.fields(org, sets))
  const resources = await db.query<Named>(grantsSql.resources(org, sets))
  return new Rights({
    system: SYSTEM_PERMISSION_NAMES.filter((name) => system?.[name] === true),
    objects: byName(objects, objectRights),
    fields: byName(fields, ({ Read, Edit }): FieldRights => ({ read: Read, edit: Edit })),
    resources: resources.map(({ name }) => name),
  })
}

/**
 * Loads the rights of a user for a call of another one. They are not cached, and takes no connection but that of `db`, which may be a
 * transaction.
 */
export async function loadAccess(db: Db, org: Org, schema: SchemaSnapshot, user: User): Promise<Access> {
  const sets = await loadSets(db, org, user)
  const rights = await loadRights(db, org, user.profileId, sets)
  return new Access(rights, await loadMemberships(db, org, schema, user), schema.changedAt)
}
