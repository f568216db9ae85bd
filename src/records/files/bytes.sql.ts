import { only } from '../../access/row-rules.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { table } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { tag } from '../read/read.sql.ts'

export const bytesOfSql = {
  /** The number of bytes, and the content type that the record names. */
  find: (
    org: Org,
    object: ObjectType,
    id: string,
    field: Field,
    kind: Field | undefined,
    rule: Sql | undefined,
  ): Sql =>
    sql`select octet_length(${sql.id(field.column!)}) as length, ${tag} as tag,
               ${kind === undefined ? sql`null::text` : sql.id(kind.column!)} as kind
        from ${table(org, object)} where id = ${id} and not isdeleted ${only(rule)}`,

  /** One piece of the bytes, if the record has not changed. */
  piece: (
    org: Org,
    object: ObjectType,
    id: string,
    field: Field,
    known: string,
    from: number,
    max: number,
  ): Sql =>
    sql`select substring(${sql.id(field.column!)} from ${from + 1}::integer for ${max}::integer)
        from ${table(org, object)} where id = ${id} and ${tag} = ${known}`,
}
