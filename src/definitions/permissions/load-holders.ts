import type { OBJECT_PERMISSION_NAMES } from '../../access/grants.sql.ts'
import type { ObjectRights } from '../../access/rights.ts'
import {
  SYSTEM_PERMISSION_NAMES,
  type SystemPermission,
  withImplied,
} from '../../access/system-permission.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import {
  isGrantable,
  isGrantableField,
  OBJECT_PERMISSIONS_OF,
  OBJECT_RIGHT_NAMES,
  type PermissionKind,
} from '../formats/permission-rights.ts'
import { completeRights, type FieldRight, type Holder, type ObjectRightList } from './holder.ts'
import { permissionsSql } from './permissions.sql.ts'

interface HolderRow extends Readonly<Record<SystemPermission, boolean | null>> {
  readonly id: string
  /** Null for a profile whose permission set was deleted. */
  readonly setId: string | null
  readonly name: string
  readonly label?: string
  readonly description: string | null
}

interface GrantRow {
  readonly id: string
  readonly setId: string
  readonly name: string
}

type ObjectRow = GrantRow & Readonly<Record<(typeof OBJECT_PERMISSION_NAMES)[number], boolean>>
type FieldRow = GrantRow & { readonly Read: boolean; readonly Edit: boolean }

type HolderRows = Readonly<Record<PermissionKind, readonly HolderRow[]>>

type Rows<Row> = ReadonlyMap<string, readonly Row[]>

/** The schema's spelling of an object that is granted as such. */
function findObjectName(schema: SchemaSnapshot, name: string): string | undefined {
  const object = schema.object(name)
  return object !== undefined && isGrantable(object.definition) ? object.name : undefined
}

/** The schema's spelling of a field that can be granted: `Account.Industry`. */
function findFieldName(schema: SchemaSnapshot, path: string): string | undefined {
  const [objectName = '', fieldName = ''] = path.split('.', 2)
  const object = schema.object(findObjectName(schema, objectName) ?? '')
  const field = object?.field(fieldName)
  return field !== undefined && isGrantableField(field) ? `${object!.name}.${field.name}` : undefined
}

/** Rows by the name of the object or field that they are about. Those that mean nothing in the schema are left out. */
function groupByName<Row extends GrantRow>(
  rows: readonly Row[],
  findName: (name: string) => string | undefined,
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = findName(row.name)
    if (name !== undefined) getOrInsert(groups, name, () => []).push(row)
  }
  return groups
}

function uniteObjects(rows: readonly ObjectRow[]): ObjectRightList | undefined {
  const isGiven = (name: keyof ObjectRights) => rows.some((row) => row[OBJECT_PERMISSIONS_OF[name]])
  const rights = completeRights(OBJECT_RIGHT_NAMES.filter(isGiven))
  return rights.length === 0 ? undefined : rights
}

const uniteFields = (rows: readonly FieldRow[]): FieldRight | undefined =>
  rows.some(({ Edit }) => Edit) ? 'edit' : rows.some(({ Read }) => Read) ? 'read' : undefined

/** Grants of groups of rows, and their ids. */
function unite<Row extends GrantRow, Right>(
  groups: ReadonlyMap<string, readonly Row[]>,
  makeRight: (rows: readonly Row[]) => Right | undefined,
) {
  const rights = new Map<string, Right>()
  const ids = new Map<string, readonly string[]>()
  for (const [name, rows] of groups) {
    const right = makeRight(rows)
    if (right !== undefined) rights.set(name, right)
    ids.set(
      name,
      rows.map(({ id }) => id),
    )
  }
  return { rights, ids }
}

function* makeHolders(
  kinds: HolderRows,
  objects: Rows<ObjectRow>,
  fields: Rows<FieldRow>,
  custom: Rows<GrantRow>,
  schema: SchemaSnapshot,
): Generator<void, Holder[]> {
  const holders: Holder[] = []
  for (const [kind, rows] of Object.entries(kinds) as [PermissionKind, readonly HolderRow[]][]) {
    for (const row of rows) {
      const { id, setId, name, label, description } = row
      const onObjects = groupByName(objects.get(setId ?? '') ?? [], (given) => findObjectName(schema, given))
      const onFields = groupByName(fields.get(setId ?? '') ?? [], (given) => findFieldName(schema, given))
      const { rights: objectRights, ids: objectIds } = unite(onObjects, uniteObjects)
      const { rights: fieldRights, ids: fieldIds } = unite(onFields, uniteFields)
      const onCustom = groupByName(custom.get(setId ?? '') ?? [], (given) => given)
      const { rights: customRights, ids: customIds } = unite(onCustom, () => 'granted' as const)
      holders.push({
        kind,
        id,
        setId: setId ?? undefined,
        name,
        ...(kind === 'permissionSets' && { label: label ?? '' }),
        description: description ?? undefined,
        system: withImplied(SYSTEM_PERMISSION_NAMES.filter((permission) => row[permission] === true)),
        custom: customRights,
        objects: objectRights,
        fields: fieldRights,
        objectIds,
        fieldIds,
        customIds,
      })
      yield
    }
  }
  return holders
}

const groupBySet = <Row extends GrantRow>(rows: readonly Row[]): Rows<Row> =>
  Map.groupBy(rows, ({ setId }) => setId)

/** Whose permissions to load: by their names, without case. */
export type HolderNames = Readonly<Record<PermissionKind, readonly string[]>>

const loadRows = async (db: Db, org: Org, names: HolderNames | undefined): Promise<HolderRows> => ({
  permissionSets: await db.query(permissionsSql.sets(org, names?.permissionSets)),
  profiles: await db.query(permissionsSql.profiles(org, names?.profiles)),
})

const listSets = ({ permissionSets, profiles }: HolderRows) =>
  [...permissionSets, ...profiles].flatMap(({ setId }) => setId ?? [])

/**
 * Loads permission sets and profiles with everything that they grant on the objects of a schema.
 * @param names undefined: all of them
 * @param lock whether nothing may be granted by them until the transaction ends
 */
export async function loadHolders(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  { names, lock = false }: { readonly names?: HolderNames; readonly lock?: boolean } = {},
): Promise<Holder[]> {
  let rows = await loadRows(db, org, names)
  if (lock) {
    await db.query(permissionsSql.lockSets(org, listSets(rows)))
    // One of them may have been deleted before it was locked.
    rows = await loadRows(db, org, names)
  }
  const ids = listSets(rows)
  const objects = await db.query<ObjectRow>(permissionsSql.objects(org, ids))
  const fields = await db.query<FieldRow>(permissionsSql.fields(org, ids))
  const custom = await db.query<GrantRow>(permissionsSql.custom(org, ids))
  return runInSlices(() =>
    makeHolders(rows, groupBySet(objects), groupBySet(fields), groupBySet(custom), schema),
  )
}
