import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { table } from '../../schema/objects/table.sql.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** @param before seconds since 1970 */
const isExpired = (alias: string, before: number) =>
  sql`${sql.id(alias, 'isdeleted')} and ${sql.id(alias, 'systemmodstamp')} < ${fromSeconds(before)}`

/** No other record, live or deleted, refers to it through any field. */
function isUnreferenced(org: Org, object: ObjectType, schema: SchemaSnapshot): Sql[] {
  // References in system fields are to users, who are never purged.
  const references = object.children.filter(
    ({ field, stored }) => stored && !field.system && field.column !== undefined,
  )
  return references.map(({ childObject, field }) => {
    const child = requireObject(schema, childObject)
    const other = child === object ? sql`and child.id <> expired.id` : sql``
    return sql`and not exists (select from ${table(org, child)} child
                               where ${sql.id('child', field.column!)} = expired.id ${other})`
  })
}

export const purgeSql = {
  /** The names of the objects with expired records. */
  objectsWith: (org: Org, objects: readonly ObjectType[], before: number): Sql =>
    sql.join(
      objects.map(
        (object) =>
          sql`select ${object.name}::text as name
              where exists (select from ${table(org, object)} expired where ${isExpired('expired', before)})`,
      ),
      ' union all ',
    ),

  /** When the oldest record in the bin was deleted, in seconds since 1970; null: the bin is empty. */
  oldest: (org: Org, objects: readonly ObjectType[]): Sql => {
    const each = objects.map(
      (object) => sql`select min(systemmodstamp) as deleted from ${table(org, object)} where isdeleted`,
    )
    return sql`select extract(epoch from min(deleted))::float8 as oldest from (${sql.join(each, ' union all ')}) bins`
  },

  /** Locks a batch of them. Skips a record that a concurrent undelete has locked. */
  hold: (org: Org, object: ObjectType, schema: SchemaSnapshot, before: number, max: number): Sql =>
    sql`select id from ${table(org, object)} expired
        where ${isExpired('expired', before)} ${sql.join(isUnreferenced(org, object, schema), ' ')}
        order by systemmodstamp, id limit ${max}::integer for update skip locked`,

  /**
   * Permanently deletes locked records. A statement sees what was there when it began, so a record that something refers to
   * since then is found by this one only.
   */
  purge: (
    org: Org,
    object: ObjectType,
    schema: SchemaSnapshot,
    before: number,
    ids: readonly string[],
  ): Sql =>
    sql`delete from ${table(org, object)} expired where id = any(${ids}::text[])
        and ${isExpired('expired', before)} ${sql.join(isUnreferenced(org, object, schema), ' ')} returning id`,

  /** Permanently deletes a batch of the oldest records of a history. @param before seconds since 1970 */
  oldHistory: (org: Org, object: ObjectType, before: number, max: number): Sql =>
    sql`delete from ${table(org, object)} where id in (
          select id from ${table(org, object)} where createddate < ${fromSeconds(before)}
          order by createddate limit ${max}::integer for update skip locked) returning id`,

  /** Clears a reference between expired records. */
  clearReference: (
    org: Org,
    object: ObjectType,
    field: Field,
    targets: readonly ObjectType[],
    before: number,
    max: number,
  ): Sql => {
    const column = sql.id('expired', field.column!)
    const found = targets.map(
      (target) =>
        sql`exists (select from ${table(org, target)} target where target.id = ${column} and ${isExpired('target', before)})`,
    )
    return sql`with expired as (
                 select id from ${table(org, object)} expired
                 where ${isExpired('expired', before)} and (${sql.join(found, ' or ')})
                 order by id limit ${max}::integer for update skip locked),
               untied as (
                 update ${table(org, object)} record set ${sql.id(field.column!)} = null
                 from expired where record.id = expired.id returning record.id)
               select count(*)::integer as count from untied`
  },
}
