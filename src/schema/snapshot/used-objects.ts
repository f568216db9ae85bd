import { absentTablesSql } from '../../storage/database/absent-tables.sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ObjectType } from '../objects/object-type.ts'

const loadAbsent = async (
  db: Db,
  schemaName: string,
  select: typeof absentTablesSql.names,
): Promise<ReadonlySet<string>> =>
  new Set((await db.query<{ name: string }>(select(schemaName))).map(({ name }) => name))

const loadUsed = async (
  db: Db,
  { schemaName }: Org,
  objects: readonly ObjectType[],
  select: typeof absentTablesSql.names,
): Promise<ObjectType[]> => {
  const absent = await loadAbsent(db, schemaName, select)
  return objects.filter(({ table }) => !absent.has(table))
}

/** The objects whose tables are made. Others have no records, and a statement that names their tables would make them. */
export const loadUsedObjects = (db: Db, org: Org, objects: readonly ObjectType[]): Promise<ObjectType[]> =>
  loadUsed(db, org, objects, absentTablesSql.names)

/** The same, and they stay so until the transaction ends: who needs another table waits. */
export const holdUsedObjects = (tx: Db, org: Org, objects: readonly ObjectType[]): Promise<ObjectType[]> =>
  loadUsed(tx, org, objects, absentTablesSql.hold)

/** The names of tables that are not made: of objects, and of those that the org has for itself. */
export const loadAbsentTables = (db: Db, { schemaName }: Org): Promise<ReadonlySet<string>> =>
  loadAbsent(db, schemaName, absentTablesSql.names)
