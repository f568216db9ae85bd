import { sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Retrieved } from './retrieve.ts'

interface NewRetrieve {
  readonly id: string
  readonly userId: string
  readonly userName: string
}

/** Archives that were retrieved. */
export const retrieveSql = {
  insert: (
    org: Org,
    { id, userId, userName }: NewRetrieve,
    archive: Uint8Array | null,
    outcome: Retrieved,
    now: string,
  ) =>
    sql`insert into objectry.metadata_job (id, org_id, user_id, user_name, kind, status, options, archive, outcome,
          created_at, started_at, modified_at, completed_at)
        values (${id}, ${org.id}, ${userId}, ${userName}, 'retrieve', 'Succeeded', '{}', ${archive},
          ${JSON.stringify(outcome)}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz)`,
  /** Keeps the newest ones. */
  removeOld: (org: Org, kept: number) =>
    sql`delete from objectry.metadata_job where org_id = ${org.id} and id in (
          select id from objectry.metadata_job where org_id = ${org.id} and kind = 'retrieve'
          order by id desc offset ${kept})`,
  find: (org: Org, id: string) =>
    sql`select outcome::jsonb as outcome from objectry.metadata_job
        where org_id = ${org.id} and id = ${id} and kind = 'retrieve'`,
}
