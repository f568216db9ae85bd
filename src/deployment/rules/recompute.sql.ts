import { sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const recomputeSql = {
  /** Ids of records that are not deleted, in order, starting after an id. */
  ids: (org: Org, object: ObjectType, after: string, max: number) =>
    sql`select id from ${sql.id(org.schemaName, object.table)}
        where id > ${after} and not isdeleted order by id limit ${sql.raw(String(max))}`,
}
