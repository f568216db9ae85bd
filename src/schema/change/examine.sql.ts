import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { encryptedValueSql } from '../fields/encrypted-value.sql.ts'
import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** How many records are named where some stand in the way. */
const NAMED = 5

const table = (org: Org, object: ObjectType) => sql.id(org.schemaName, object.table)

/** How many rows meet a condition, and the first of them. */
function counted(org: Org, object: ObjectType, where: Sql): Sql {
  const named = sql.raw(String(NAMED))
  return sql`select count(*)::integer as rows, (array_agg(id order by id))[1:${named}] as ids
             from ${table(org, object)} where ${where}`
}

export const examineSql = {
  all: (org: Org, object: ObjectType) => counted(org, object, sql`true`),

  /** Records whose value would be gone with the field. What a boolean says by itself is no loss. */
  holding(org: Org, object: ObjectType, field: Field): Sql {
    const column = sql.id(field.column!)
    if (field.type.parameter !== 'boolean') return counted(org, object, sql`${column} is not null`)
    const memberships = sql.raw(String(field.definition.default === true))
    return counted(org, object, sql`${column} is distinct from ${memberships}`)
  },

  /** Living records without a value. */
  empty: (org: Org, object: ObjectType, field: Field) =>
    counted(org, object, sql`${sql.id(field.column!)} is null and not isdeleted`),

  living: (org: Org, object: ObjectType) => counted(org, object, sql`not isdeleted`),

  /** Living records that share a value with another one. */
  alike(org: Org, object: ObjectType, field: Field, value: Sql): Sql {
    const form = field.type.comparable?.(value, field) ?? value
    return counted(
      org,
      object,
      sql`not isdeleted and ${form} in (select ${form} from ${table(org, object)}
          where not isdeleted and ${value} is not null group by 1 having count(*) > 1)`,
    )
  },

  /** Records with an encrypted value of more than so many bytes. */
  longerThan: (org: Org, object: ObjectType, field: Field, max: number) =>
    counted(org, object, sql`${encryptedValueSql.bytes(sql.id(field.column!))} > ${max}::integer`),

  /** Records that point to what is no record of the target. */
  astray: (org: Org, object: ObjectType, field: Field, target: ObjectType) =>
    counted(
      org,
      object,
      sql`${sql.id(field.column!)} is not null
          and not exists (select from ${table(org, target)} t where t.id = ${sql.id(object.table, field.column!)})`,
    ),

  /** Records that point to objects with these prefixes. */
  pointing: (org: Org, object: ObjectType, field: Field, prefixes: readonly string[]) =>
    counted(org, object, sql`left(${sql.id(field.column!)}, 3) = any(${prefixes}::text[])`),

  ofRecordType: (org: Org, object: ObjectType, id: string) => counted(org, object, sql`recordtypeid = ${id}`),

  /** Values of a column by the ids of their records, a page at a time. */
  values: (org: Org, object: ObjectType, field: Field, after: string, max: number) =>
    sql`select id, ${sql.id(field.column!)} as value from ${table(org, object)}
        where ${sql.id(field.column!)} is not null and id > ${after}
        order by id limit ${sql.raw(String(max))}`,

  /** Whoever writes waits from here on, so that what is examined stays true. */
  lockTables: (org: Org, object: ObjectType) => sql`lock table ${table(org, object)} in share mode`,
}
