import type { Viewer } from '../../access/row-rules.sql.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import { findNamedRecords } from '../plan/named-records.ts'
import type { RowsOf } from './made-rows.sql.ts'
import { accessColumns, recordAccess } from './record-access.sql.ts'

/** Selects the rights of a user on records of one object. */
const accessTo = (org: Org, viewer: Viewer, object: ObjectType, ids: readonly string[]): Sql =>
  sql`select n.id, ${recordAccess(viewer, object, 'n')} as letters from ${records(org, object, 'n')} where n.id = any(${ids}::text[])`

/** The records by the object that their ids belong to. */
function groupByObject(viewer: Viewer, ids: readonly string[]): ReadonlyMap<ObjectType, string[]> {
  const groups = new Map<ObjectType, string[]>()
  for (const id of ids) {
    const object = viewer.schema.objectOfId(id)
    if (object !== undefined) getOrInsert(groups, object, () => []).push(id)
  }
  return groups
}

const NOTHING = sql`select null::text as id, null::text as letters where false`

/** Columns by name. Without a record that is there, or a user who is, there is no access. */
const COLUMNS: Readonly<Record<string, Sql>> = {
  id: sql`named.id`,
  recordid: sql`named.id`,
  isdeleted: sql`false`,
  ...accessColumns(sql`found.letters`),
  createddate: sql`made.createddate`,
  createdbyid: sql`made.createdbyid`,
  lastmodifieddate: sql`made.createddate`,
  lastmodifiedbyid: sql`made.createdbyid`,
  systemmodstamp: sql`made.createddate`,
}

/** The rows of `UserRecordAccess`: what the named user may do with each of the named records. */
export function accessRows(org: Org, plan: RowsOf, { namedUser }: QueryContext): Sql {
  const { userId, recordIds } = findNamedRecords(plan)
  const groups = namedUser === undefined ? [] : [...groupByObject(namedUser, recordIds)]
  const found = groups.map(([object, ids]) => accessTo(org, namedUser!, object, ids))
  const columns = unrestricted(plan.sources[0].object).fields.flatMap(({ column, type, definition }) => {
    if (column === undefined) return []
    const value = column === 'userid' ? sql`${userId}` : COLUMNS[column]!
    return [sql`(${value})::${sql.raw(type.column(definition)!)} as ${sql.id(column)}`]
  })
  return sql`select ${sql.join(columns)} from unnest(${recordIds}::text[]) as named (id)
             left join (${found.length === 0 ? NOTHING : sql.join(found, ' union all ')}) found on found.id = named.id collate "C"
             cross join (select createddate, createdbyid from ${sql.id(org.schemaName, 'organization')} limit 1) made`
}
