import { only } from '../../access/row-rules.sql.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** The id of the transaction that wrote the row: it changes with every write, and needs no column. */
export const tag = sql`xmin::text`

const prepared = new WeakMap<RecordFormat, Map<string, Sql>>()

/** One live record by id: the columns of the format, then the tag. The text is made once per format and org. */
export function selectById(org: Org, shape: RecordFormat, id: string, rule?: Sql): Sql {
  const select = () => {
    const table = sql.id(org.schemaName, shape.object.table)
    return sql`select ${sql.join(shape.columns)}, ${tag} from ${table} where id = ${id} and not isdeleted`
  }
  if (rule !== undefined) return sql`${select()} and ${rule}`
  const byOrg = getOrInsert(prepared, shape, () => new Map<string, Sql>())
  const known = getOrInsert(byOrg, org.schemaName, select)
  // The id comes last.
  return known.with(known.values.with(-1, id))
}

/** The time of a live record's last change, and its tag. */
export function selectRevision(
  org: Org,
  object: ObjectType,
  id: string,
  lock: boolean,
  rule: Sql | undefined,
): Sql {
  return sql`select extract(epoch from lastmodifieddate)::float8 as "modifiedAt", ${tag} as tag
             from ${sql.id(org.schemaName, object.table)}
             where id = ${id} and not isdeleted ${only(rule)} ${sql.raw(lock ? 'for update' : '')}`
}

/** Which records to read, and whether to lock them until the transaction ends. */
export type Wanted = 'living' | 'living, locked' | 'deleted'

/** Records by id, in the order of ids. */
export function selectByIds(
  org: Org,
  shape: RecordFormat,
  ids: readonly string[],
  wanted: Wanted,
  rule?: Sql,
): Sql {
  const table = sql.id(org.schemaName, shape.object.table)
  const state = sql.raw(wanted === 'deleted' ? 'isdeleted' : 'not isdeleted')
  const lock = sql.raw(wanted === 'living, locked' ? ' for update' : '')
  return sql`select ${sql.join(shape.columns)} from ${table} where id = any(${ids}::text[]) and ${state} ${only(rule)} order by id${lock}`
}
