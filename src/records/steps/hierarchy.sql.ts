import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Longer lines of records are not followed. */
const MAX_LEVELS = 1000

/** Tells this lock from others of the server. */
const LOCK = 720260103

export const hierarchySql = {
  /** Of changes of an object's hierarchy one is made at a time: two could make a loop that neither of them sees. */
  lock: (org: Org, object: ObjectType): Sql =>
    sql`select pg_advisory_xact_lock(hashtextextended(${sql.raw(quoteText(`${org.schemaName}.${object.table}`))}, ${sql.raw(String(LOCK))}))`,

  /** For each record how many are above it, whether it is one of them, and in that case the least id among these, by which loops differ. */
  above: (org: Org, object: ObjectType, reference: Field, ids: readonly string[]): Sql => {
    const table = sql.id(org.schemaName, object.table)
    const column = sql.id(reference.column!)
    return sql`with recursive above as (
                 select id, ${column} as at, 1 as level from ${table} where id = any(${ids}::text[]) and ${column} is not null
                 union all
                 select above.id, parent.${column}, above.level + 1 from above join ${table} parent on parent.id = above.at
                 where parent.${column} is not null and above.at <> above.id and above.level < ${sql.raw(String(MAX_LEVELS))}
               )
               select id, max(level) as levels, bool_or(at = id) as "isLoop", min(at) as loop from above group by id`
  },

  /** For each record how many levels there are below it. */
  below: (org: Org, object: ObjectType, reference: Field, ids: readonly string[]): Sql => {
    const table = sql.id(org.schemaName, object.table)
    const column = sql.id('child', reference.column!)
    return sql`with recursive below as (
                 select given.id collate "C" as id, given.id collate "C" as at, 0 as level from unnest(${ids}::text[]) as given (id)
                 union
                 select below.id, child.id, below.level + 1 from below join ${table} child on ${column} = below.at
                 where not child.isdeleted and below.level < ${sql.raw(String(MAX_LEVELS))}
               )
               select id, max(level) as below from below group by id`
  },
}
