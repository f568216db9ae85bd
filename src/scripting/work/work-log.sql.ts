import { type Sql, sql } from '../../base/sql.ts'
import type { WORK_STATUSES } from '../../standard/setup/work-fields.ts'
import { type Timestamp, timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Logs of background work; each is a standard object with the fields of work. */
export const WORK_LOGS = ['webhookdelivery', 'backgroundjob'] as const
export type WorkLog = (typeof WORK_LOGS)[number]

/** The table of a log in an org. */
export const workTable = (org: Org, log: WorkLog) => sql.id(org.schemaName, log)

const NAMES = { webhookdelivery: 'receiver', backgroundjob: 'job' } as const satisfies Record<WorkLog, string>

/** The column with the name of the receiver or job. */
const workName = (log: WorkLog) => sql.id(NAMES[log])

/** The status of work. */
export type WorkStatus = (typeof WORK_STATUSES)[number]['value']

/** Selects work of a log. */
export interface WorkFilter {
  /** Name of a receiver or job; undefined for any. */
  readonly name: string | undefined
  /** Undefined for any status. */
  readonly status: WorkStatus | undefined
}

/** The filter as an SQL condition. */
export const meets = (log: WorkLog, { name, status }: WorkFilter) =>
  sql.join(
    [
      sql`not isdeleted`,
      ...(name === undefined ? [] : [sql`${workName(log)} = ${name}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
    ],
    ' and ',
  )

/** Work that is still to be done. */
export const pending = sql`status in ('Queued', 'Retrying')`

/** A time as ISO 8601, under a name. */
export const timeAs = (column: Sql, name: string) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${sql.id(name)}`

/** When a record was changed, as the columns that say so. */
export const changed = (timestamp: Timestamp) =>
  sql`systemmodstamp = ${timestampSql(timestamp)}, lastmodifieddate = ${timestampSql(timestamp)}`

export const workLogSql = {
  /** Locks the work until the transaction ends. */
  lock: (org: Org, log: WorkLog, id: string) =>
    sql`select id from ${workTable(org, log)} where id = ${id} and ${pending} and not isdeleted for update`,

  done: (org: Org, log: WorkLog, id: string, timestamp: Timestamp) =>
    sql`update ${workTable(org, log)}
        set status = 'Done', attempts = attempts + 1, lastattemptdate = ${timestamp.time}, nextattemptdate = null,
            lasterror = null, ${changed(timestamp)}
        where id = ${id}`,

  /** @param next time of the next attempt; null for none */
  failed: (
    org: Org,
    log: WorkLog,
    id: string,
    attempts: number,
    error: string,
    timestamp: Timestamp,
    next: string | null,
  ) =>
    sql`update ${workTable(org, log)}
        set status = case when ${next}::text is null then 'Dead' else 'Retrying' end, attempts = ${attempts + 1},
            lastattemptdate = ${timestamp.time}, nextattemptdate = ${next}, lasterror = ${error}, ${changed(timestamp)}
        where id = ${id} and attempts = ${attempts} and ${pending} and not isdeleted
        returning id`,

  /** Counts by name and status. */
  counts: (org: Org, log: WorkLog) =>
    sql`select ${workName(log)} as name, status, count(*)::integer as count
        from ${workTable(org, log)} where not isdeleted group by 1, 2`,

  /** A page of the selected work after the id `after`, locked until the transaction ends. What is being done is left out. */
  choose: (org: Org, log: WorkLog, filter: WorkFilter, after: string, max: number) =>
    sql`select id from ${workTable(org, log)} where ${meets(log, filter)} and id > ${after}
        order by id limit ${max}::integer for update skip locked`,

  /**
   * A page of the work that is still to be done after the id `after`, and in how many seconds. Nothing waits longer than it
   * did when it was queued, whatever clock its time was taken from.
   */
  pending: (org: Org, log: WorkLog, after: string, max: number, now: string) =>
    sql`select id, coalesce(extract(epoch from greatest(interval '0', nextattemptdate -
                 greatest(${now}::text::timestamptz, lastmodifieddate))), 0)::float8 as "delaySeconds"
        from ${workTable(org, log)} where ${pending} and not isdeleted and id > ${after}
        order by id limit ${max}::integer`,

  /** Makes work due again, starting with its first attempt. What is being done, and locked until it ends, is left alone. */
  replay: (org: Org, log: WorkLog, ids: readonly string[], timestamp: Timestamp) =>
    sql`update ${workTable(org, log)}
        set status = 'Queued', attempts = 0, nextattemptdate = null, isreplay = true, ${changed(timestamp)}
        where id in (select id from ${workTable(org, log)} where id = any(${ids}::text[]) and not isdeleted
                     for update skip locked)
        returning id`,
}
