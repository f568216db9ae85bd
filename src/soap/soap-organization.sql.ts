import { sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const soapOrganizationSql = {
  find: (org: Org) =>
    sql`select name, issandbox as "isSandbox" from ${sql.id(org.schemaName, 'organization')} where id = ${org.id}`,
}
