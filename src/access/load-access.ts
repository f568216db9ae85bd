import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { Access, type FieldRights, type ObjectRights } from './access.ts'
import { grantsSql, type OBJECT_PERMISSION_NAMES } from './grants.sql.ts'
import { SYSTEM_PERMISSION_NAMES, type SystemPermission } from './system-permission.ts'

/** The user whose grants are wanted. */
export interface Grantee {
  readonly id: string
  readonly profileId: string
  readonly roleId: string | null
}

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

/** Reads everything that was granted to a user. */
export async function loadAccess(
  db: Db,
  org: Org,
  { id, profileId, roleId }: Grantee,
  changedAt: Date,
): Promise<Access> {
  const sets = (await db.query<{ id: string }>(grantsSql.sets(org, id, profileId))).map((set) => set.id)
  type SystemRow = Readonly<Record<SystemPermission, boolean | null>>
  const [system] = await db.query<SystemRow>(grantsSql.system(org, profileId, sets))
  const objects = await db.query<ObjectGrant>(grantsSql.objects(org, sets))
  const fields = await db.query<FieldGrant>(grantsSql.fields(org, sets))
  const resources = await db.query<Named>(grantsSql.resources(org, sets))
  const groups = await db.query<{ id: string }>(grantsSql.groups(org, id, roleId))
  const below = roleId === null ? [] : await db.query<{ id: string }>(grantsSql.rolesBelow(org, roleId))
  return new Access(
    {
      system: SYSTEM_PERMISSION_NAMES.filter((name) => system?.[name] === true),
      objects: byName(objects, objectRights),
      fields: byName(fields, ({ Read, Edit }): FieldRights => ({ read: Read, edit: Edit })),
      resources: resources.map(({ name }) => name),
      memberships: [id, ...groups.map((group) => group.id)],
      rolesBelow: below.map((role) => role.id),
    },
    changedAt,
  )
}
