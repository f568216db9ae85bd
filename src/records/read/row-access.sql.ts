import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Org } from '../../storage/orgs/org.ts'

type Rules = Readonly<Record<'read' | 'edit' | 'full', Sql | undefined>>

export const rowAccessSql = {
  /** Locks records until the transaction ends, in the order of their ids. */
  hold: (org: Org, object: ObjectType, ids: readonly string[], rule: Sql | undefined): Sql =>
    sql`select id from ${sql.id(org.schemaName, object.table)}
        where id = any(${ids}::text[]) and not isdeleted and ${rule ?? sql`true`} order by id for update`,

  /** The access levels of the records that exist; locks them until the transaction ends. */
  lock(org: Org, object: ObjectType, ids: readonly string[], rules: Rules): Sql {
    const owner = object.field('OwnerId') === undefined ? sql`null::text` : sql`ownerid`
    const levels = Object.entries(rules).map(([name, rule]) => sql`${rule ?? sql`true`} as ${sql.id(name)}`)
    return sql`select id, isdeleted as "isDeleted", ${owner} as owner, ${sql.join(levels)}
               from ${sql.id(org.schemaName, object.table)} where id = any(${ids}::text[]) order by id for update`
  },
}
