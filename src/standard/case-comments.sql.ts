import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const caseCommentSql = {
  /** Empties the comments of cases that are not deleted, and returns what they were. */
  take: (org: Org, ids: readonly string[]): Sql =>
    sql`with given as (select id, comments from ${sql.id(org.schemaName, 'case')}
                       where id = any(${ids}::text[]) and comments is not null and not isdeleted order by id for update)
        update ${sql.id(org.schemaName, 'case')} target set comments = null
        from given where target.id = given.id returning given.id, given.comments as text`,
}
