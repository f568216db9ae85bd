import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Author } from '../permissions/permissions.sql.ts'

export const settingsSql = {
  updateCompany: (
    org: Org,
    values: Readonly<Record<string, number | boolean>>,
    { userId, time }: Author,
  ): Sql => {
    const set = Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
    return sql`update ${sql.id(org.schemaName, 'organization')} set ${sql.join(set)}, lastmodifieddate = ${time},
                      lastmodifiedbyid = ${userId}, systemmodstamp = ${time}
               where id = ${org.id}`
  },
}
