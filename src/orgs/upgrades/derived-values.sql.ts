import { type Sql, sql } from '../../base/sql.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { table } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const derivedValuesSql = {
  /** Ids of records that are not deleted, in order, starting after an id. */
  ids: (org: Org, object: ObjectType, after: string, max: number): Sql =>
    sql`select id from ${table(org, object)} where id > ${after} and not isdeleted order by id limit ${sql.raw(String(max))}`,

  /** Clients that look for changes see it; nobody has modified the record. */
  set: (org: Org, object: ObjectType, id: string, values: RecordValues): Sql => {
    const set = [...values].map(([field, value]) => sql`${sql.id(field.column!)} = ${value}`)
    return sql`update ${table(org, object)} set ${sql.join(set)}, systemmodstamp = date_trunc('second', now()) where id = ${id}`
  },
}
