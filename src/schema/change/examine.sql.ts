import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { encryptedValueSql } from '../fields/encrypted-value.sql.ts'
import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { records } from '../objects/records.sql.ts'
import { table } from '../objects/table.sql.ts'

/** Maximum number of records that a finding names. */
const MAX_NAMED = 5

/** The number of rows that match a condition, and the ids of the first ones. */
function countMatches(org: Org, object: ObjectType, where: Sql): Sql {
  const named = sql.raw(String(MAX_NAMED))
  return sql`select count(*)::integer as rows, (array_agg(id order by id))[1:${named}] as ids
             from ${records(org, object)} where ${where}`
}

export const examineSql = {
  all: (org: Org, object: ObjectType) => countMatches(org, object, sql`true`),

  /** Records that would lose a value with the field. A boolean's default value is no loss. */
  holding(org: Org, object: ObjectType, field: Field): Sql {
    const column = sql.id(field.column!)
    if (field.type.parameter !== 'boolean') return countMatches(org, object, sql`${column} is not null`)
    const defaultValue = sql.raw(String(field.definition.default === true))
    return countMatches(org, object, sql`${column} is distinct from ${defaultValue}`)
  },

  /** Live records without a value. */
  empty: (org: Org, object: ObjectType, field: Field) =>
    countMatches(org, object, sql`${sql.id(field.column!)} is null and not isdeleted`),

  living: (org: Org, object: ObjectType) => countMatches(org, object, sql`not isdeleted`),

  /** Live records with a value that another one has too. */
  alike(org: Org, object: ObjectType, field: Field, value: Sql): Sql {
    const form = field.type.comparable?.(value, field) ?? value
    return countMatches(
      org,
      object,
      sql`not isdeleted and ${form} in (select ${form} from ${table(org, object)}
          where not isdeleted and ${value} is not null group by 1 having count(*) > 1)`,
    )
  },

  /** Records with an encrypted value of more than `max` bytes. */
  longerThan: (org: Org, object: ObjectType, field: Field, max: number) =>
    countMatches(org, object, sql`${encryptedValueSql.bytes(sql.id(field.column!))} > ${max}::integer`),

  /** Records whose value is not the id of a record of the target. */
  dangling: (org: Org, object: ObjectType, field: Field, target: ObjectType) =>
    countMatches(
      org,
      object,
      sql`${sql.id(field.column!)} is not null
          and not exists (select from ${records(org, target, 't')} where t.id = ${sql.id(object.table, field.column!)})`,
    ),

  /** Records that refer to objects with these prefixes. */
  pointing: (org: Org, object: ObjectType, field: Field, prefixes: readonly string[]) =>
    countMatches(org, object, sql`left(${sql.id(field.column!)}, 3) = any(${prefixes}::text[])`),

  ofRecordType: (org: Org, object: ObjectType, id: string) =>
    countMatches(org, object, sql`recordtypeid = ${id}`),

  /** Values of a column by the ids of their records, a page at a time. */
  values: (org: Org, object: ObjectType, field: Field, after: string, max: number) =>
    sql`select id, ${sql.id(field.column!)} as value from ${table(org, object)}
        where ${sql.id(field.column!)} is not null and id > ${after}
        order by id limit ${sql.raw(String(max))}`,

  /** How many locks all transactions may have together, by the settings. */
  locks: sql`select current_setting('max_locks_per_transaction')::int *
        (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as locks`,

  /** Blocks writes, so that the findings stay true until the transaction ends. */
  lockWrites: (org: Org, object: ObjectType) => sql`lock table ${table(org, object)} in share mode`,
}
