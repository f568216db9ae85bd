import { type Sql, sql } from '../base/sql.ts'
import { meets, timeAs, type WorkFilter, type WorkLog, workTable } from '../scripting/work/work-log.sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const WORK = sql`id, status, attempts, isreplay as "isReplay",
  ${timeAs(sql`lastattemptdate`, 'lastAttemptAt')}, ${timeAs(sql`nextattemptdate`, 'nextAttemptAt')}`

const DELIVERY = sql`${WORK}, receiver, ${timeAs(sql`createddate`, 'receivedAt')}, eventid as "eventId", outcome,
  eventrecordid as "eventRecordId", bodylength as "bodyLength"`

const RUN = sql`${WORK}, job, ${timeAs(sql`createddate`, 'queuedAt')}, createdbyid as "userId", occurrence`

/** The first line of an error. The full text is shown for a single item only. */
const FIRST_LINE = sql`left(split_part(lasterror, chr(10), 1), 255) as "lastError"`

const newest = (org: Org, log: WorkLog, columns: Sql, filter: WorkFilter, max: number) =>
  sql`select ${columns}, ${FIRST_LINE} from ${workTable(org, log)} where ${meets(log, filter)}
      order by createddate desc, id desc limit ${max}::integer`

const one = (org: Org, log: WorkLog, columns: Sql, id: string) =>
  sql`select ${columns}, lasterror as "lastError" from ${workTable(org, log)} where id = ${id} and not isdeleted`

/** Background work as the admin API shows it. */
export const setupWorkSql = {
  webhookdelivery: {
    newest: (org: Org, filter: WorkFilter, max: number) =>
      newest(org, 'webhookdelivery', DELIVERY, filter, max),
    one: (org: Org, id: string) =>
      one(org, 'webhookdelivery', sql`${DELIVERY}, headers, encode(body, 'base64') as body`, id),
  },
  backgroundjob: {
    newest: (org: Org, filter: WorkFilter, max: number) => newest(org, 'backgroundjob', RUN, filter, max),
    one: (org: Org, id: string) => one(org, 'backgroundjob', sql`${RUN}, payload`, id),
  },
} as const satisfies Record<WorkLog, object>
