import { type Sql, sql } from '../base/sql.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Org } from '../storage/org.ts'

type Rules = Readonly<Record<'read' | 'edit' | 'full', Sql | undefined>>

export const rowAccessSql = {
  /** What may be done with each of the records that are there; nobody else changes them until the transaction ends. */
  lock(org: Org, object: ObjectType, ids: readonly string[], rules: Rules): Sql {
    const owner = object.field('OwnerId') === undefined ? sql`null::text` : sql`ownerid`
    const levels = Object.entries(rules).map(([name, rule]) => sql`${rule ?? sql`true`} as ${sql.id(name)}`)
    return sql`select id, isdeleted as "isDeleted", ${owner} as owner, ${sql.join(levels)}
               from ${sql.id(org.schemaName, object.table)} where id = any(${ids}::text[]) order by id for update`
  },
}
