import { makeRecordId } from '../../src/base/record-id.ts'
import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** An account as a test keeps it in mind beside the database. */
export interface AccountRow {
  readonly id: string
  name: string
  industry: string | null
  employees: number | null
  parentId: string | null
  isDeleted: boolean
}

/** The id of the n-th account, in a range that no server takes ids from. */
export const accountId = (n: number) => makeRecordId('001', 5_000_000_000 + n)

/** Where the accounts are and who writes them. */
type Location = Pick<TestOrg, 'org' | 'db' | 'userId'>

const table = (o: Pick<TestOrg, 'org'>) => sql.id(o.org.schemaName, 'account')

/**
 * Many accounts in one statement, as if another process had written them. Of an id that is there already everything
 * is overwritten.
 */
export async function writeAccounts(o: Location, rows: readonly AccountRow[]): Promise<void> {
  const system = sql`createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp, ownerid`
  const user = sql`${o.userId}::text`
  await o.db.query(sql`
    insert into ${table(o)} (id, name, industry, numberofemployees, parentid, isdeleted, ${system})
    select r.id, r.name, r.industry, r.employees, r."parentId", r."isDeleted",
           now(), ${user}, now(), ${user}, now(), ${user}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r
         (id text, name text, industry text, employees integer, "parentId" text, "isDeleted" boolean)
    on conflict (id) do update set name = excluded.name, industry = excluded.industry,
      numberofemployees = excluded.numberofemployees, parentid = excluded.parentid, isdeleted = excluded.isdeleted`)
}

/** Leaves no account, not even in the recycle bin. */
export async function removeAccounts(o: TestOrg): Promise<void> {
  await o.db.query(sql`delete from ${table(o)}`)
}

/** `count` accounts called `account 0000`, `account 0001`, ... */
export function makeAccounts(count: number): AccountRow[] {
  return Array.from({ length: count }, (_, n) => ({
    id: accountId(n),
    name: `account ${String(n).padStart(4, '0')}`,
    industry: null,
    employees: n,
    parentId: null,
    isDeleted: false,
  }))
}
