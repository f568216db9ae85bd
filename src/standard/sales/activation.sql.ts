import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const activationSql = {
  /** Those of the contracts or orders that are activated. */
  activated: (org: Org, table: 'contract' | 'order', ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, table)} where id = any(${ids}::text[]) and statuscode = 'Activated'`,
}
