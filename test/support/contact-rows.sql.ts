import { makeRecordId } from '../../src/base/record-id.ts'
import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** Many contacts of one account in one statement: `contact 0001`, `contact 0002`, ... */
export async function writeContacts(
  { org, db, userId }: Pick<TestOrg, 'org' | 'db' | 'userId'>,
  accountId: string,
  count: number,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: makeRecordId('003', 5_000_000_000 + n),
    name: `contact ${String(n + 1).padStart(4, '0')}`,
  }))
  const user = sql`${userId}::text`
  await db.query(sql`
    insert into ${sql.id(org.schemaName, 'contact')}
      (id, lastname, accountid, isdeleted, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid)
    select r.id, r.name, ${accountId}::text, false, now(), ${user}, now(), ${user}, now(), ${user}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, name text)`)
}
