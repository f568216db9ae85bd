import { sql } from '../../base/sql.ts'
import { type Timestamp, timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { pending, timeAs } from '../work/work-log.sql.ts'

/** A run of a job, as it is stored. */
export interface QueuedRun {
  readonly id: string
  readonly job: string
  /** As JSON. */
  readonly payload: string
  /** Scheduled time; null for an enqueued run. */
  readonly occurrence: string | null
  /** Start time; null for immediately. */
  readonly begins: string | null
  readonly userId: string
  readonly timestamp: Timestamp
}

const table = (org: Org) => sql.id(org.schemaName, 'backgroundjob')

export const backgroundJobSql = {
  /** Inserts at most one run for each occurrence. */
  insert: (org: Org, { id, job, payload, occurrence, begins, userId, timestamp }: QueuedRun) =>
    sql`insert into ${table(org)} (id, job, payload, occurrence, status, attempts, nextattemptdate, isreplay,
          createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
        values (${id}, ${job}, ${payload}, ${occurrence}, 'Queued', 0, ${begins}, false,
          ${timestampSql(timestamp)}, ${userId}, ${timestampSql(timestamp)}, ${userId}, ${timestampSql(timestamp)})
        on conflict do nothing returning id`,

  find: (org: Org, id: string) =>
    sql`select job, payload, attempts, isreplay as "isReplay", ${timeAs(sql`createddate`, 'queuedAt')}, createdbyid as "userId"
        from ${table(org)} where id = ${id} and ${pending} and not isdeleted`,
}
