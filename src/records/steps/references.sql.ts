import { only } from '../../access/row-rules.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { comparableColumn, comparableValue } from '../../schema/change/ddl.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const referencesSql = {
  /**
   * The ids that exist, over all objects in one statement, each object in the order of its ids. The rows stay locked
   * against deletion, not against other changes, until the transaction ends: a parent cannot disappear between check and
   * write. No foreign key does that, so every write of a reference has to. A deletion locks its records `for update`.
   */
  lock(
    org: Org,
    idsByObject: ReadonlyMap<ObjectType, readonly string[]>,
    rulesOf: (object: ObjectType) => Readonly<Record<'read' | 'edit' | 'full', Sql | undefined>>,
  ): Sql {
    const found: Sql[] = []
    const results: Sql[] = []
    for (const [object, ids] of idsByObject) {
      const rules = Object.entries(rulesOf(object))
      const levels = rules.map(([level, rule]) => sql`${rule ?? sql`true`} as ${sql.id(level)}`)
      const name = sql.id(`found_${found.length}`)
      found.push(
        sql`${name} as (select ${sql.join([sql`id`, sql`isdeleted as "isDeleted"`, ...levels])} from ${records(org, object)} where id = any(${ids}::text[]) order by id for key share)`,
      )
      results.push(sql`select * from ${name}`)
    }
    return sql`with ${sql.join(found)} ${sql.join(results, ' union all ')}`
  },

  /** Ids of the live records with a key, oldest first, up to `max`. */
  findByKey(
    org: Org,
    object: ObjectType,
    key: Field,
    value: unknown,
    max: number,
    rule: Sql | undefined,
  ): Sql {
    return sql`select id from ${records(org, object)}
               where ${comparableColumn(key)} = ${comparableValue(key, value)} and not isdeleted ${only(rule)}
               order by id limit ${sql.raw(String(max))}`
  },

  /** The same for many values: ids with the zero-based position of their value. */
  findByKeys(
    org: Org,
    object: ObjectType,
    key: Field,
    values: readonly unknown[],
    max: number,
    rule: Sql | undefined,
  ): Sql {
    const value = sql`value::${sql.raw(key.type.parameter)}`
    const comparable = key.type.comparable?.(value, key) ?? value
    return sql`select (wanted.position - 1)::integer as position, found.id
               from unnest(${values}::${sql.raw(key.type.parameter)}[]) with ordinality as wanted (value, position)
               cross join lateral (
                 select id from ${records(org, object)}
                 where ${comparableColumn(key)} = ${comparable} and not isdeleted ${only(rule)}
                 order by id limit ${sql.raw(String(max))}) found
               order by wanted.position, found.id`
  },
}
