import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Platform events of an org that triggers are to run for. */
export interface DueEvents {
  readonly orgId: string
  /** In lower case, as are all objects here: triggers name them in any. */
  readonly object: string
}

/** A platform event as triggers get it. */
export interface TriggeringEvent {
  readonly position: number
  /** JSON of an `EventContent`. */
  readonly content: string
  readonly userId: string
  /** In milliseconds since 1970, by the clock of the org. */
  readonly at: number
}

/** The events that a trigger runs for: those that were published since any server has had one. */
const OF_TRIGGER = sql.raw(
  "event.org_id = stream.org_id and lower(event.object) = listener.object and event.kind = 'PUBLISH'" +
    // Those that a fault has written twice come once.
    ' and event.first_position is null' +
    ' and event.number > listener.since and event.position > coalesce(trigger.position, 0)',
)

export const eventTriggerSql = {
  /** Notes that these objects have triggers from now on, unless they had them before. */
  listen: (objects: readonly string[]): Sql =>
    sql`insert into objectry.event_listener (object, since)
        select object, (select coalesce(max(number), 0) from objectry.event) from unnest(${objects}::text[]) as listened (object)
        on conflict do nothing`,

  /** The orgs where such events were published that have no position yet. */
  waiting: (objects: readonly string[]): Sql =>
    sql`select distinct org_id as "orgId" from objectry.event
        where position is null and kind = 'PUBLISH' and lower(object) = any(${objects}::text[])`,

  /** Those that have waited longest first. */
  due: (objects: readonly string[], max: number): Sql =>
    sql`select stream.org_id as "orgId", listener.object
        from objectry.event_listener listener cross join objectry.event_stream stream
          left join objectry.event_trigger trigger on trigger.org_id = stream.org_id and trigger.object = listener.object
        where listener.object = any(${objects}::text[]) and (trigger.retry_at is null or trigger.retry_at <= now())
          and exists (select from objectry.event where ${OF_TRIGGER})
        order by trigger.retry_at nulls last, trigger.position nulls first limit ${max}`,

  read: ({ id }: Org, object: string, max: number): Sql =>
    sql`select event.position::float8 as position, event.content, event.user_id as "userId",
               (extract(epoch from event.at) * 1000)::float8 as at
        from objectry.event_listener listener join objectry.event_stream stream on stream.org_id = ${id}
          left join objectry.event_trigger trigger on trigger.org_id = stream.org_id and trigger.object = listener.object
          join objectry.event event on ${OF_TRIGGER}
        where listener.object = ${object} order by event.position limit ${max}`,

  /**
   * Moves the position behind events, in the transaction of what was done for them.
   * @returns no row: somebody else has done it
   */
  advance: ({ id }: Org, object: string, first: number, last: number): Sql =>
    sql`insert into objectry.event_trigger as trigger (org_id, object, position) values (${id}, ${object}, ${last}::bigint)
        on conflict (org_id, object) do update set position = excluded.position, attempts = 0, retry_at = null
        where trigger.position < ${first}::bigint returning 1 as done`,

  /** So that there is a row to claim. */
  ensure: ({ id }: Org, object: string): Sql =>
    sql`insert into objectry.event_trigger (org_id, object, position) values (${id}, ${object}, 0) on conflict do nothing`,

  /**
   * Notes a try before it begins: should it never come back, because it blocks or ends its process, the next one is later each time.
   * @param seconds until the second try
   * @returns no row: somebody else has begun one, or it is not due yet
   */
  claim: ({ id }: Org, object: string, seconds: number, maxSeconds: number): Sql =>
    sql`update objectry.event_trigger trigger
        set attempts = attempts + 1, retry_at = now() + least(2 ^ least(attempts, 20) * ${seconds}, ${maxSeconds}) * interval '1 second'
        from (select org_id, object from objectry.event_trigger
              where org_id = ${id} and object = ${object} and (retry_at is null or retry_at <= now()) for update skip locked) free
        where trigger.org_id = free.org_id and trigger.object = free.object returning 1 as claimed`,

  /** Somebody else had carried out the claimed events. */
  release: ({ id }: Org, object: string): Sql =>
    sql`update objectry.event_trigger set attempts = 0, retry_at = null where org_id = ${id} and object = ${object}`,

  /** Notes that the claimed events could not be carried out: the next try is later each time, up to a number of seconds. */
  putOff: ({ id }: Org, object: string, maxSeconds: number): Sql =>
    sql`update objectry.event_trigger
        set retry_at = now() + least(2 ^ least(attempts - 1, 20), ${maxSeconds}) * interval '1 second'
        where org_id = ${id} and object = ${object} and attempts > 0`,
}
