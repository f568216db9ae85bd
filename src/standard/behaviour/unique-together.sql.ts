import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { table } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const uniqueTogetherSql = {
  /** Locks parents, so that no other transaction adds a child to them meanwhile. Reading them and referring to them goes on. */
  lockParents: (org: Org, parent: ObjectType, ids: readonly string[]): Sql =>
    sql`select id from ${table(org, parent)} where id = any(${ids}::text[]) order by id for no key update`,

  /** The pairs of values, by their position from 1, that a record has already. */
  findTaken: (
    org: Org,
    object: ObjectType,
    columns: readonly [string, string],
    pairs: readonly (readonly [string, string])[],
  ): Sql => {
    const [first, second] = columns
    return sql`select position::integer from unnest(${pairs.map(([a]) => a)}::text[], ${pairs.map(([, b]) => b)}::text[]) with ordinality as pair (first, second, position)
        where exists (select from ${table(org, object)} held
          where held.${sql.id(first)} = pair.first and held.${sql.id(second)} = pair.second and not held.isdeleted)`
  },
}
