import { getOrInsert } from '../base/get-or-insert.ts'
import { type Sql, sql } from '../base/sql.ts'
import type { RecordShape } from '../schema/record-shape.sql.ts'
import type { Org } from '../storage/org.ts'

const prepared = new WeakMap<RecordShape, Map<string, Sql>>()

/** One live record by id. The text is made once per shape and org. */
export function selectById(org: Org, shape: RecordShape, id: string): Sql {
  const byOrg = getOrInsert(prepared, shape, () => new Map<string, Sql>())
  const statement = getOrInsert(byOrg, org.schemaName, () => {
    const table = sql.id(org.schemaName, shape.object.table)
    return sql`select ${sql.join(shape.columns)} from ${table} where id = ${id} and not isdeleted`
  })
  return statement.with([id])
}
