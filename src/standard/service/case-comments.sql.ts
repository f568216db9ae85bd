import { type Sql, sql } from '../../base/sql.ts'
import { type AuditFields, touched } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const caseCommentSql = {
  /** A comment is a change of its case, deleted or not: that is changed by the same user at the same time. */
  touchCases: (org: Org, comments: readonly string[], audit: AuditFields): Sql =>
    sql`with held as materialized (
          select id from ${sql.id(org.schemaName, 'case')}
          where id = any(array(select parentid from ${sql.id(org.schemaName, 'casecomment')} where id = any(${comments}::text[])))
            and not isdeleted order by id for no key update)
        update ${sql.id(org.schemaName, 'case')} target set ${touched(audit)} from held where target.id = held.id`,

  /** Empties the comments of cases that are not deleted, and returns what they were. */
  take: (org: Org, ids: readonly string[]): Sql =>
    sql`with given as (select id, comments from ${sql.id(org.schemaName, 'case')}
                       where id = any(${ids}::text[]) and comments is not null and not isdeleted order by id for update)
        update ${sql.id(org.schemaName, 'case')} target set comments = null
        from given where target.id = given.id returning given.id, given.comments as text`,
}
