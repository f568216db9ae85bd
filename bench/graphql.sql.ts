import { type Sql, sql } from '../src/base/sql.ts'
import type { Org } from '../src/storage/orgs/org.ts'

/** Gives each contact a title, a phone and a time of its own, which `dataset.ts` leaves empty or equal. */
export function fillContacts(org: Org): readonly Sql[] {
  const contact = sql.id(org.schemaName, 'contact')
  return [
    sql`
      update ${contact}
      set title = 'Engineer ' || n,
          phone = '+47 22 ' || to_char(n, 'FM000000'),
          createddate = timestamptz '2026-01-01 00:00:00Z' + n * interval '1 minute'
      from (select id as made, row_number() over (order by id) as n from ${contact}) numbered
      where id = made`,
    sql`vacuum full analyze ${contact}`,
  ]
}

/** From which PostGraphile learns that contacts have an account. The tables of an org have no foreign keys. */
export const addAccountKey = ({ schemaName }: Org): Sql =>
  sql`alter table ${sql.id(schemaName, 'contact')} add constraint contact_accountid_fkey
      foreign key (accountid) references ${sql.id(schemaName, 'account')} (id)`
