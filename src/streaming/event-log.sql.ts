import { type Sql, sql } from '../base/sql.ts'
import type { EventKind } from '../records/events/event-content.ts'
import type { Org } from '../storage/orgs/org.ts'

/** An event as the log has it. */
export interface EventRow {
  /** Only grows: nothing appears behind a position that somebody has read. */
  readonly position: number
  /** From 1 on, among the events of its transaction. */
  readonly place: number
  readonly transaction: string
  readonly object: string
  readonly kind: EventKind
  /** JSON of an `EventContent`. */
  readonly content: string
  readonly userId: string
  /** In milliseconds since 1970, by the clock of the org. */
  readonly at: number
  readonly origin: string
  /** How many events were found, of which those at the end may be left out because they are too long together. */
  readonly found: number
}

/** Which positions of an org's log can be read: those after `gone`, up to `last`. */
export interface EventBounds {
  readonly gone: number
  readonly last: number
}

const BOUNDS = sql.raw('gone_position::float8 as gone, last_position::float8 as last')

export const eventLogSql = {
  bounds: ({ id }: Org): Sql => sql`select ${BOUNDS} from objectry.event_stream where org_id = ${id}`,

  /** Of some orgs those with a log, and how far it goes. */
  ends: (ids: readonly string[]): Sql =>
    sql`select org_id as "orgId", last_position::float8 as last from objectry.event_stream where org_id = any(${ids}::text[])`,

  /** Of some orgs those with committed events that have no position yet. */
  waiting: (ids: readonly string[]): Sql =>
    sql`select id as "orgId" from unnest(${ids}::text[]) as org (id)
        where exists (select from objectry.event where org_id = org.id and position is null)`,

  /** The log of an org begins, unless it has. */
  begin: (id: string): Sql =>
    sql`insert into objectry.event_stream (org_id) select id from objectry.org where id = ${id} on conflict do nothing`,

  /** Until the transaction ends, nobody else gives positions. */
  hold: (id: string): Sql[] => [
    eventLogSql.begin(id),
    sql`select last_position from objectry.event_stream where org_id = ${id} for update`,
  ],

  /**
   * Gives the committed events their positions, those of a transaction together, as all of them become visible at once. Transactions are in
   * the order of their last events: one that changed a record later wrote that event later, because it waited for the record.
   */
  givePositions: (id: string): Sql =>
    sql`with waiting as (
          select number, row_number() over (order by end_number, number) as n, place
          from (select number, max(number) over (partition by transaction) as end_number,
                       row_number() over (partition by transaction order by number) as place
                from objectry.event where org_id = ${id} and position is null) committed),
        given as (
          update objectry.event set position = stream.last_position + waiting.n, place = waiting.place
          from waiting, objectry.event_stream stream
          where event.number = waiting.number and stream.org_id = ${id}
          returning 1)
        update objectry.event_stream set last_position = last_position + (select count(*) from given) where org_id = ${id}`,

  /**
   * Events in the order of their positions.
   * @param objects those of these objects
   * @param topicHours how long events of topics and generic channels are told
   * @param maxLength of all contents together; the first event is there in any case
   */
  read: (
    { id }: Org,
    objects: readonly string[],
    {
      after,
      upTo,
      max,
      maxLength,
      topicHours,
    }: { after: number; upTo: number; max: number; maxLength: number; topicHours: number },
  ): Sql =>
    sql`select position, place, transaction, object, kind, content, "userId", at, origin, found
        from (select position::float8 as position, place, transaction::text as transaction, object, kind, content, user_id as "userId",
                     (extract(epoch from at) * 1000)::float8 as at, origin, row_number() over (order by position) as n, count(*) over ()::integer as found,
                     sum(length(content)) over (order by position) as length
              from (select * from objectry.event
                    where org_id = ${id} and position > ${after}::bigint and position <= ${upTo}::bigint
                      and object = any(${objects}::text[])
                      and (kind not in ('TOPIC', 'PUSH') or at >= (
                        select now() + clock_ahead * interval '1 millisecond' - ${topicHours} * interval '1 hour' from objectry.org where id = ${id}))
                    order by position limit ${max}) listed) measured
        where n = 1 or length <= ${maxLength} order by position`,

  /** Deletes some of the events that are older than a time by the clock of their org, and notes up to which position they are gone. */
  forget: (hours: number, max: number): Sql =>
    sql`with gone as (
          delete from objectry.event where number in (
            select number from objectry.event join objectry.org on org.id = event.org_id
            where at < now() + clock_ahead * interval '1 millisecond' - ${hours} * interval '1 hour'
            order by number limit ${max})
          returning org_id, position),
        noted as (
          update objectry.event_stream stream set gone_position = greatest(gone_position, top.position)
          from (select org_id, max(position) as position from gone group by 1) top
          where stream.org_id = top.org_id and top.position is not null)
        select count(*)::integer as count from gone`,

  /** Forgets all events of an org whose records are no longer what they were: positions before now have no meaning. */
  reset: ({ id }: Org): Sql[] => [
    sql`delete from objectry.event where org_id = ${id}`,
    sql`update objectry.event_stream set gone_position = last_position + 1, last_position = last_position + 1 where org_id = ${id}`,
  ],
}
