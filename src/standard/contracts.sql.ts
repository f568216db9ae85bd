import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const contractSql = {
  /** Those of the contracts that are activated. */
  activated: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'contract')} where id = any(${ids}::text[]) and statuscode = 'Activated'`,
}
