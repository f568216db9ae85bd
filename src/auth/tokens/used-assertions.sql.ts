import { sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

export const usedAssertionSql = {
  /** Returns a row to one caller only: a concurrent one waits, and then gets none. */
  use: (org: Org, clientId: string, idHash: string, expiresAt: number) =>
    sql`insert into objectry.used_assertion (org_id, client_id, id_hash, expires_at)
        values (${org.id}, ${clientId}, ${idHash}, ${fromSeconds(expiresAt)})
        on conflict do nothing returning id_hash`,

  deleteExpired: (org: Org, now: number) =>
    sql`delete from objectry.used_assertion where org_id = ${org.id} and expires_at < ${fromSeconds(now)}`,
}
