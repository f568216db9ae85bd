import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

/**
 * The org's first user, who is the author of what deployments write, as `author` in the statement that follows. Citus carries out no insert
 * that selects `now()` from a table, but does so from a list of rows that was made before.
 */
export const withAuthor = (org: Org, statement: Sql): Sql =>
  sql`with author as materialized (
        select id from ${sql.id(org.schemaName, 'user')} order by createddate, id limit 1
      )
      ${statement}`
