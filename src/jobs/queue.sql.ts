import { type Sql, sql } from '../base/sql.ts'

/** A stored time that is so much later than now is one of a clock that was set back. The clocks of several servers differ by less. */
const IS_FUTURE = sql`> now() + interval '1 minute'`

export const queueSql = {
  /** True if any process has ever used the queue. */
  isThere: (schema: string) => sql`select to_regclass(${`${schema}.job`}) is not null as "isThere"`,

  /** True if the database's clock was set back: each server with schedules notes the time twice a minute. */
  isClockBack: (schema: string) =>
    sql`select exists (select from ${sql.id(schema, 'version')} where cron_on ${IS_FUTURE}) as "isBack"`,

  /** Moves the times of a clock that was set back to now: schedules, work that waits, and heartbeats would wait until then. */
  followClock(schema: string): Sql[] {
    const job = sql.id(schema, 'job')
    return [
      sql`update ${job} set start_after = start_after - (created_on - now()), created_on = now()
          where state < 'active' and created_on ${IS_FUTURE}`,
      sql`update ${job} set start_after = now() where state = 'retry' and started_on ${IS_FUTURE}`,
      sql`update ${job} set heartbeat_on = now() where state = 'active' and heartbeat_on ${IS_FUTURE}`,
      sql`update ${sql.id(schema, 'queue')} set monitor_claim_on = null, monitor_on = null, maintain_on = null
          where greatest(monitor_claim_on, monitor_on, maintain_on) ${IS_FUTURE}`,
      sql`update ${sql.id(schema, 'version')} set cron_on = null, bam_on = null, flow_on = null, reindex_on = null
          where cron_on ${IS_FUTURE}`,
    ]
  },

  /** Deletes the work of an org that has not begun. */
  takeBack: (schema: string, queue: string, orgId: string) =>
    sql`delete from ${sql.id(schema, 'job')}
        where name = ${queue} and state < 'active' and data ->> 'orgId' = ${orgId}`,
}
