import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../src/base/sql.ts'
import type { Db } from '../../src/storage/database/db.ts'
import type { Org } from '../../src/storage/orgs/org.ts'

const table = (org: Org) => sql.id(org.schemaName, 'box__c')

const deployers = sql`select count(*)::integer as count from pg_stat_activity
                      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'objectry'
                      and state <> 'idle'`

export const boxRows = {
  /** Boxes of the sizes 1, 2, 3, ... */
  insert: (org: Org, userId: string, rows: number) =>
    sql`insert into ${table(org)} (id, name, size__c, note__c, ownerid, createddate, createdbyid,
                                   lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        select 'a00' || lpad(n::text, 12, '0') || 'AAA', 'Box ' || n, n, 'note ' || n, ${userId}, now(), ${userId},
               now(), ${userId}, now()
        from generate_series(1, ${rows}::integer) as n`,

  sum: (org: Org) =>
    sql`select count(*)::integer as rows, sum(size__c::text::integer)::integer as total from ${table(org)}`,

  /** A process that was killed leaves its statement to the database, which ends it a moment later. */
  async untilNobodyDeploys(db: Db): Promise<void> {
    while ((await db.query<{ count: number }>(deployers))[0]!.count > 0) await sleep(20)
  },
}
