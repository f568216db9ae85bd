import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type AuditFields, table } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A field with what it has of others: each a reference, and the object and field that it leads to. */
export interface Copies {
  readonly field: Field
  readonly of: readonly { readonly reference: Field; readonly parent: ObjectType; readonly field: Field }[]
}

/** Returns the value that the field must have: of several sources, the texts that are not empty, with blanks between. */
function copiedValue(org: Org, { of }: Copies): Sql {
  const values = of.map(
    ({ reference, parent, field }) =>
      sql`(select ${sql.id('p', field.column!)} from ${table(org, parent)} p where p.id = ${sql.id('own', reference.column!)})`,
  )
  if (values.length === 1) return values[0]!
  return sql`nullif(concat_ws(' ', ${sql.join(values.map((value) => sql`nullif(${value}, '')`))}), '')`
}

export const followChangesSql = {
  /** Locks the records that refer to others in one order, deleted ones too. */
  lock: (org: Org, object: ObjectType, reference: Field, ids: readonly string[]): Sql =>
    sql`select id from ${table(org, object)} where ${sql.id(reference.column!)} = any(${ids}::text[])
        order by id for no key update`,

  /**
   * Gives the records that refer to others what their fields have of these, where it differs; deleted ones too, which come back
   * with it. Returns the ids.
   */
  follow(
    org: Org,
    object: ObjectType,
    reference: Field,
    copies: readonly Copies[],
    ids: readonly string[],
    { timestamp }: AuditFields,
  ): Sql {
    const names = copies.map(({ field }) => sql.id(field.column!))
    const values = copies.map((one) => copiedValue(org, one))
    const set = names.map((name) => sql`${name} = given.${name}`)
    const shown = names.map((name, index) => sql`${values[index]!} as ${name}`)
    const own = names.map((name) => sql`own.${name}`)
    // When a record came to the recycle bin is its SystemModstamp. Listed before: Citus refuses it as a case of the update.
    const changedAt = sql`case when own.isdeleted then own.systemmodstamp else ${timestampSql(timestamp)} end`
    return sql`with given as materialized (
                 select own.id, ${changedAt} as _at, ${sql.join(shown)} from ${table(org, object)} own
                 where own.${sql.id(reference.column!)} = any(${ids}::text[])
                   and (${sql.join(own)}) is distinct from (${sql.join(values)})
                 order by own.id for no key update)
               update ${table(org, object)} target
               set ${sql.join(set)}, systemmodstamp = given._at
               from given where target.id = given.id returning target.id`
  },
}
