import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const permissionSetSql = {
  /** Those of the permission sets that belong to a profile. */
  ofProfiles: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'permissionset')} where id = any(${ids}::text[]) and isownedbyprofile`,
}
