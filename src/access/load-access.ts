import type { Sql } from '../base/sql.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { Access, type FieldRights, type ObjectRights } from './access.ts'
import { grantsSql, type OBJECT_PERMISSION_NAMES } from './grants.sql.ts'
import { sharesOf } from './row-rules.sql.ts'
import { sharingOf } from './sharing.ts'
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

/** More users than this below a user are asked for by their roles. */
const MOST_OWNERS = 1000

/** More records than this are not few. */
const FEW = 5000

async function idsOf(db: Db, statement: Sql): Promise<string[]> {
  return (await db.query<{ id: string }>(statement)).map(({ id }) => id)
}

/** Objects of which only few records are somebody's own or shared with him. */
async function findFew(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  owners: readonly string[],
  memberships: readonly string[],
): Promise<ReadonlySet<string>> {
  const few = new Set<string>()
  for (const object of schema.objects) {
    const isPrivate = sharingOf(object) === 'private' && object.field('OwnerId') !== undefined
    if (!isPrivate) continue
    const share = sharesOf(schema, object.name)?.object
    const statement = grantsSql.spread(org, object, share, owners, memberships, FEW + 1)
    const [row] = await db.query<{ owned: number; shared: number }>(statement)
    if (row!.owned <= FEW && row!.shared <= FEW) few.add(object.name)
  }
  return few
}

/** Reads everything that was granted to a user. */
export async function loadAccess(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  { id, profileId, roleId }: Grantee,
  changedAt: Date,
): Promise<Access> {
  const sets = await idsOf(db, grantsSql.sets(org, id, profileId))
  type SystemRow = Readonly<Record<SystemPermission, boolean | null>>
  const [system] = await db.query<SystemRow>(grantsSql.system(org, profileId, sets))
  const objects = await db.query<ObjectGrant>(grantsSql.objects(org, sets))
  const fields = await db.query<FieldGrant>(grantsSql.fields(org, sets))
  const resources = await db.query<Named>(grantsSql.resources(org, sets))
  const groups = await idsOf(db, grantsSql.groups(org, id, roleId))
  const memberships = [id, ...groups]
  const rolesBelow = roleId === null ? [] : await idsOf(db, grantsSql.rolesBelow(org, roleId))
  const usersBelow =
    rolesBelow.length === 0 ? [] : await idsOf(db, grantsSql.usersOf(org, rolesBelow, MOST_OWNERS + 1))
  const tooMany = usersBelow.length > MOST_OWNERS
  const owners = tooMany ? memberships : [...memberships, ...usersBelow]
  return new Access(
    {
      system: SYSTEM_PERMISSION_NAMES.filter((name) => system?.[name] === true),
      objects: byName(objects, objectRights),
      fields: byName(fields, ({ Read, Edit }): FieldRights => ({ read: Read, edit: Edit })),
      resources: resources.map(({ name }) => name),
      memberships,
      owners,
      ownersByRole: tooMany ? rolesBelow : [],
      rolesBelow,
      fewOf: tooMany ? new Set() : await findFew(db, org, schema, owners, memberships),
    },
    changedAt,
  )
}
