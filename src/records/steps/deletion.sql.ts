import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type AuditFields, DELETION, table, touched } from '../../schema/objects/table.sql.ts'
import { fromSeconds, timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** A reference field to the parent, and the object that has it. */
export interface Child {
  readonly field: Field
  readonly object: ObjectType
}

/** Moves records into the recycle bin and back, with the records that refer to them. */
export const deletionSql = {
  /**
   * Locks the records before it marks them: a write that refers to one of them holds it `for key share`, which a change alone
   * would not wait for.
   * @param deletion id of the deletion that the records belong to
   */
  markDeleted: (org: Org, object: ObjectType, ids: readonly string[], audit: AuditFields, deletion: string) =>
    sql`with held as materialized (
          select id from ${table(org, object)} where id = any(${ids}::text[]) and not isdeleted order by id for update
        )
        update ${table(org, object)} as target
        set isdeleted = true, ${sql.id(DELETION)} = ${deletion}, ${touched(audit)}
        from held where target.id = held.id returning target.id`,

  /**
   * The effect of deleting parents on their children, in one statement: returns the children in `listed`, each with the
   * index of its reference in the list, and sets the references in `cleared` to null.
   */
  selectChildren(
    org: Org,
    listed: readonly Child[],
    cleared: ReadonlyMap<ObjectType, readonly Field[]>,
    parents: readonly string[],
    { timestamp }: AuditFields,
  ): Sql {
    const pointing = (column: Sql) => sql`${column} = any(${parents}::text[])`
    // Several fields of a record may refer to a parent, and one statement changes a row only once.
    const updates = [...cleared].map(([object, fields], index) => {
      const columns = fields.map((field) => sql.id(field.column!))
      const set = columns.map(
        (column) => sql`${column} = case when ${pointing(column)} then null else ${column} end`,
      )
      return sql`${sql.id(`cleared_${index}`)} as (
                   update ${table(org, object)} set ${sql.join(set)}, systemmodstamp = ${timestampSql(timestamp)}
                   where (${sql.join(columns.map(pointing), ' or ')}) and not isdeleted)`
    })
    const found = listed.map(
      ({ field, object }, index) =>
        sql`select ${index}::integer as index, id from ${table(org, object)}
            where ${pointing(sql.id(field.column!))} and not isdeleted`,
    )
    const select =
      found.length > 0 ? sql.join(found, ' union all ') : sql`select 0 as index, '' as id where false`
    return updates.length > 0 ? sql`with ${sql.join(updates)} ${select}` : select
  },

  /**
   * Records in the recycle bin, each with its deletion, locked against a concurrent undelete or purge.
   * @param since earliest deletion that can be undone, in seconds since 1970
   * @param rule which rows the caller may restore; undefined: all
   */
  lockDeleted: (org: Org, object: ObjectType, ids: readonly string[], since: number, rule: Sql | undefined) =>
    sql`select id, ${sql.id(DELETION)} as deletion from ${table(org, object)}
        where id = any(${ids}::text[]) and isdeleted and systemmodstamp >= ${fromSeconds(since)}
          and ${rule ?? sql`true`}
        order by id for update`,

  markLiving: (org: Org, object: ObjectType, ids: readonly string[], audit: AuditFields) =>
    sql`update ${table(org, object)} set isdeleted = false, ${sql.id(DELETION)} = null, ${touched(audit)}
        where id = any(${ids}::text[])`,

  /** Records that were deleted with their parents. */
  deletedChildren: (
    org: Org,
    { field, object }: Child,
    parents: readonly string[],
    deletions: readonly string[],
  ) =>
    sql`select id from ${table(org, object)}
        where ${sql.id(field.column!)} = any(${parents}::text[]) and isdeleted and ${sql.id(DELETION)} = any(${deletions}::text[])
        order by id for update`,

  /** Lets records refer to others: pairs of their ids and those of the others. */
  setReferences: (
    org: Org,
    object: ObjectType,
    field: Field,
    pairs: readonly (readonly [id: string, to: string])[],
  ): Sql =>
    sql`update ${table(org, object)} target set ${sql.id(field.column!)} = given.other
        from unnest(${pairs.map(([id]) => id)}::text[], ${pairs.map(([, to]) => to)}::text[]) as given (id, other)
        where target.id = given.id collate "C"`,

  /** Clears references to records that no longer exist. */
  clearReference: (
    org: Org,
    object: ObjectType,
    field: Field,
    ids: readonly string[],
    gone: readonly string[],
  ) =>
    sql`update ${table(org, object)} set ${sql.id(field.column!)} = null
        where id = any(${ids}::text[]) and ${sql.id(field.column!)} = any(${gone}::text[])`,
}
