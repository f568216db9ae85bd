import { type Sql, sql } from '../src/base/sql.ts'
import type { Org } from '../src/storage/orgs/org.ts'

const table = (org: Org, name: string) => sql.id(org.schemaName, name)

export const sharingBenchSql = {
  /** Every so many accounts another owner. */
  giveAway: (org: Org, owner: string, ids: readonly string[]): Sql =>
    sql`update ${table(org, 'account')} set ownerid = ${owner} where id = any(${ids}::text[])`,

  share: (org: Org, user: string, shareIds: readonly string[], ids: readonly string[]): Sql =>
    sql`insert into ${table(org, 'accountshare')}
          (id, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp,
           accountid, userorgroupid, accountaccesslevel, rowcause)
        select s, now(), ${user}, now(), ${user}, now(), a, ${user}, 'Read', 'Manual'
        from unnest(${shareIds}::text[], ${ids}::text[]) as made (s, a)`,

  setRole: (org: Org, user: string, role: string): Sql =>
    sql`update ${table(org, 'user')} set userroleid = ${role} where id = ${user}`,

  vacuum: (org: Org): Sql[] => [
    sql`vacuum analyze ${table(org, 'account')}`,
    sql`vacuum analyze ${table(org, 'accountshare')}`,
    sql`vacuum analyze ${table(org, 'user')}`,
  ],
}
