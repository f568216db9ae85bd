import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Author } from '../permissions/permissions.sql.ts'

const organization = (org: Org) => sql.id(org.schemaName, 'organization')

export const settingsSql = {
  company: (org: Org, lock: boolean): Sql =>
    sql`select fiscalyearstartmonth as "startMonth" from ${organization(org)}
        where id = ${org.id}${lock ? sql` for update` : sql``}`,

  updateCompany: (
    org: Org,
    values: Readonly<Record<string, number | boolean>>,
    { userId, time }: Author,
  ): Sql => {
    const set = Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
    return sql`update ${organization(org)} set ${sql.join(set)}, lastmodifieddate = ${time},
                      lastmodifiedbyid = ${userId}, systemmodstamp = ${time}
               where id = ${org.id}`
  },
}
