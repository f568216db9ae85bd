import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Org } from '../../storage/orgs/org.ts'

const table = (org: Org, object: ObjectType) => sql.id(org.schemaName, object.table)

/** @param before seconds since 1970 */
const isOver = (alias: string, before: number) =>
  sql`${sql.id(alias, 'isdeleted')} and ${sql.id(alias, 'systemmodstamp')} < to_timestamp(${before}::float8)`

/** No record but itself points to it, in whatever state and through whatever field: the database holds only some of them. */
function isUnreferenced(org: Org, object: ObjectType, schema: SchemaSnapshot): Sql[] {
  // The platform's own references are to users, who stay.
  const ways = object.children.filter(({ field }) => !field.system && field.column !== undefined)
  return ways.map(({ childObject, field }) => {
    const child = requireObject(schema, childObject)
    const other = child === object ? sql`and child.id <> doomed.id` : sql``
    return sql`and not exists (select from ${table(org, child)} child
                               where ${sql.id('child', field.column!)} = doomed.id ${other})`
  })
}

export const purgeSql = {
  /** The names of the objects that have records whose time in the recycle bin is over. */
  objectsWith: (org: Org, objects: readonly ObjectType[], before: number): Sql =>
    sql.join(
      objects.map(
        (object) =>
          sql`select ${object.name}::text as name
              where exists (select from ${table(org, object)} doomed where ${isOver('doomed', before)})`,
      ),
      ' union all ',
    ),

  /** Deletes some of them for good. Whoever brings one of them back right now has it locked, and keeps it. */
  purge: (org: Org, object: ObjectType, schema: SchemaSnapshot, before: number, max: number): Sql =>
    sql`with doomed as (
          select id from ${table(org, object)} doomed
          where ${isOver('doomed', before)} ${sql.join(isUnreferenced(org, object, schema), ' ')}
          order by systemmodstamp, id limit ${max}::integer for update skip locked),
        purged as (
          delete from ${table(org, object)} record using doomed where record.id = doomed.id returning record.id)
        select count(*)::integer as count from purged`,

  /** Clears a reference of such records to others of them. */
  untie: (
    org: Org,
    object: ObjectType,
    field: Field,
    targets: readonly ObjectType[],
    before: number,
    max: number,
  ): Sql => {
    const column = sql.id('doomed', field.column!)
    const found = targets.map(
      (target) =>
        sql`exists (select from ${table(org, target)} target where target.id = ${column} and ${isOver('target', before)})`,
    )
    return sql`with doomed as (
                 select id from ${table(org, object)} doomed
                 where ${isOver('doomed', before)} and (${sql.join(found, ' or ')})
                 order by id limit ${max}::integer for update skip locked),
               untied as (
                 update ${table(org, object)} record set ${sql.id(field.column!)} = null
                 from doomed where record.id = doomed.id returning record.id)
               select count(*)::integer as count from untied`
  },
}
