import { type Sql, sql } from '../base/sql.ts'
import type { EventKind } from '../records/events/event-content.ts'
import type { Org } from '../storage/orgs/org.ts'

/** An event as the log has it. */
export interface EventRow {
  /** Only grows: nothing appears behind a position that somebody has read. */
  readonly position: number
  /** From 1 on, among the events of its transaction. */
  readonly place: number
  /** Of the first event of its transaction, if this is a copy of one. */
  readonly firstPosition: number | null
  readonly transaction: string
  readonly object: string
  readonly kind: EventKind
  /** The records that were changed alike. */
  readonly ids: readonly string[]
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

/** Changes of one transaction that are told one by one. (docs/reference/api/streaming.md#change-events) */
const MAX_CHANGES = 100_000

/** Records of an event that several were joined to. */
const MAX_JOINED = 10_000

/** Size of an event in the log, in bytes. */
const LENGTH = sql.raw('octet_length(event.content) + 20 * cardinality(event.ids)')

const BOUNDS = sql.raw('gone_position::float8 as gone, last_position::float8 as last')

/** @param numbers of the events that are deleted */
const forget = (numbers: Sql): Sql =>
  sql`with gone as (
        delete from objectry.event where number in (${numbers})
        returning org_id, position, ${LENGTH} as length),
      noted as (
        update objectry.event_stream stream
        set gone_position = greatest(gone_position, top.position), length = stream.length - top.length
        from (select org_id, max(position) as position, sum(length) as length from gone where position is not null group by 1) top
        where stream.org_id = top.org_id)
      select count(*)::integer as count from gone`

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
   * Events of a transaction that follow each other and tell the same of several records become one. What a transaction changed
   * beyond its bound becomes one event of each object, which says only that there was more.
   * @param max events to look at, the first ones: transactions that have events behind them too wait for the next time
   * @returns if there are more, and how many have got positions
   */
  givePositions: (id: string, max: number): Sql =>
    sql`with first as materialized (
          select number from objectry.event where org_id = ${id} and position is null order by number limit ${max}),
        edge as materialized (select max(number) as number, count(*) = ${max}::bigint as is_cut from first),
        open as materialized (
          select distinct transaction from objectry.event, edge
          where is_cut and org_id = ${id} and position is null and event.number > edge.number),
        waiting as (
          select number, transaction, object, ids, max(number) over (partition by transaction) as end_number,
                 sum(changes) over written > ${MAX_CHANGES} and changes > 0 as is_over,
                 coalesce((lag(object) over written, lag(kind) over written, lag(user_id) over written, lag(origin) over written)
                            = (object, kind, user_id, origin)
                          and lag(content) over written = content and changes > 0
                          and at < lag(at) over written + interval '1 second', false) as is_alike
          from objectry.event
          where org_id = ${id} and position is null and number <= (select number from edge)
            and not exists (select from open where open.transaction = event.transaction)
          window written as (partition by transaction order by number)),
        runs as (
          select *, count(*) filter (where not is_alike) over written as run, sum(cardinality(ids)) over written / ${MAX_JOINED} as part
          from waiting window written as (partition by transaction order by number)),
        joined as (
          select min(number) as number, array_agg(number order by number) as numbers, transaction, max(end_number) as end_number, is_over,
                 case when is_over then '{}' else string_to_array(string_agg(array_to_string(ids, ','), ',' order by number), ',') end as ids
          from runs group by transaction, is_over, case when is_over then object end,
                             case when not is_over then run end, case when not is_over then part end),
        numbered as (
          select *, row_number() over (order by end_number, number) as n, row_number() over (partition by transaction order by number) as place
          from joined),
        given as (
          update objectry.event
          set position = stream.last_position + numbered.n, place = coalesce(event.place, numbered.place), ids = numbered.ids,
              kind = case when is_over then 'GAP_OVERFLOW' else event.kind end, content = case when is_over then '{}' else event.content end
          from numbered, objectry.event_stream stream
          where event.number = numbered.number and stream.org_id = ${id}
          returning ${LENGTH} as length),
        dropped as (
          delete from objectry.event using (select unnest(numbers[2:]) as number from joined where cardinality(numbers) > 1) others
          where event.number = others.number)
        update objectry.event_stream
        set last_position = last_position + (select count(*) from given), length = length + (select coalesce(sum(length), 0) from given)
        where org_id = ${id} returning (select is_cut from edge) as "isCut", (select count(*) from given)::integer as given`,

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
    sql`select position, place, "firstPosition", transaction, object, kind, ids, content, "userId", at, origin, found
        from (select position::float8 as position, place, first_position::float8 as "firstPosition", transaction::text as transaction, object, kind, ids, content, user_id as "userId",
                     (extract(epoch from at) * 1000)::float8 as at, origin, row_number() over (order by position) as n, count(*) over ()::integer as found,
                     sum(length(content)) over (order by position) as length
              from (select * from objectry.event
                    where org_id = ${id} and position > ${after}::bigint and position <= ${upTo}::bigint
                      and object = any(${objects}::text[])
                      and (kind not in ('TOPIC', 'PUSH') or at >= (
                        select now() + clock_ahead * interval '1 millisecond' - ${topicHours} * interval '1 hour' from objectry.org where id = ${id}))
                    order by position limit ${max}) listed) measured
        where n = 1 or length <= ${maxLength} order by position`,

  /**
   * Writes an event once more, unless there is a copy of it: another event of the log with the same transaction, and with a position that it
   * gets as any other.
   */
  copy: ({ id }: Org, position: number): Sql =>
    sql`insert into objectry.event (org_id, transaction, place, first_position, object, kind, ids, content, user_id, at, origin)
        select org_id, transaction, place, position - place + 1, object, kind, ids, content, user_id, at, origin
        from objectry.event original
        where org_id = ${id} and position = ${position}::bigint and first_position is null
        on conflict (org_id, first_position, place) where first_position is not null do nothing`,

  /** The orgs with committed events that have no position yet. */
  allWaiting: sql`select distinct org_id as "orgId" from objectry.event where position is null`,

  /**
   * Deletes some of the events that are older than a time by the clock of their org, and notes up to which position they are gone. A copy is as
   * old as its original, and stays until all before it are gone. An event that was published while its org was deleted goes at once.
   */
  forgetOld: (hours: number, max: number): Sql =>
    forget(sql`select number from objectry.event left join objectry.org on org.id = event.org_id
               where org.id is null or at < now() + clock_ahead * interval '1 millisecond' - ${hours} * interval '1 hour'
                 and (first_position is null or not exists (
                   select from objectry.event earlier
                   where earlier.org_id = event.org_id and earlier.position < event.position))
               order by number limit ${max}`),

  /** The same for the oldest events of orgs whose logs take more than a number of bytes. */
  forgetLong: (maxLength: number, max: number): Sql =>
    forget(sql`select oldest.number from objectry.event_stream stream,
                 lateral (select number, sum(length) over (order by position) - length as before
                          from (select number, position, ${LENGTH} as length from objectry.event
                                where org_id = stream.org_id and position is not null order by position limit ${max}) event) oldest
               where stream.length > ${maxLength}::bigint and before < stream.length - ${maxLength}::bigint`),

  /** Forgets all events of an org whose records are no longer what they were: positions before now have no meaning. */
  reset: ({ id }: Org): Sql[] => [
    sql`delete from objectry.event where org_id = ${id}`,
    sql`update objectry.event_stream
        set gone_position = last_position + 1, last_position = last_position + 1, length = 0 where org_id = ${id}`,
  ],
}
