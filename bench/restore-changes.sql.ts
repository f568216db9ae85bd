import { type Sql, sql } from '../src/base/sql.ts'
import type { Org } from '../src/storage/orgs/org.ts'

/** Statements for the changes that a test may have made to an org of accounts and contacts. */
export function changes(org: Org, records: number): Readonly<Record<string, readonly Sql[]>> {
  const account = sql.id(org.schemaName, 'account')
  const contact = sql.id(org.schemaName, 'contact')
  const some = sql.raw(String(Math.floor(records / 100)))
  return {
    'nothing changed': [],
    '1 % changed': [
      sql`update ${account} set name = 'changed' where id in (select id from ${account} limit ${some})`,
    ],
    'all changed': [
      sql`update ${account} set name = 'changed'`,
      sql`update ${contact} set lastname = 'changed'`,
    ],
    'all gone': [sql`delete from ${contact}`, sql`delete from ${account}`],
  }
}
