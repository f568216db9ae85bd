import { type Sql, sql } from '../base/sql.ts'
import type { RecordShape } from '../schema/record-shape.sql.ts'
import type { Org } from '../storage/org.ts'

const prepared = new WeakMap<RecordShape, Map<string, Sql>>()

/** One live record by id. The text is made once per shape and org. */
export function selectById(org: Org, shape: RecordShape, id: string): Sql {
  let byOrg = prepared.get(shape)
  if (byOrg === undefined) prepared.set(shape, (byOrg = new Map()))
  let statement = byOrg.get(org.schemaName)
  if (statement === undefined) {
    const table = sql.id(org.schemaName, shape.object.table)
    statement = sql`select ${sql.join(shape.columns)} from ${table} where id = ${id} and not isdeleted`
    byOrg.set(org.schemaName, statement)
  }
  return statement.with([id])
}
