import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type EventKind, MAX_EVENT_LENGTH } from './event-content.ts'

/** What all events of one statement have in common. */
interface Logged {
  /** The object whose records were changed, or the event object. */
  readonly object: string
  readonly kind: EventKind
  /** By which API, and which client of it. */
  readonly origin: string
  /** Each event is that of a call of its own, and told as a transaction of its own. */
  readonly isOfSeveralCalls?: boolean
}

/** An event that is to be told. */
export interface NewEvent {
  /** The records that were changed alike. */
  readonly ids?: readonly string[]
  /** JSON of an `EventContent`. */
  readonly content: string
  /** Fields that were changed, once for each record; 0 of what is published. */
  readonly changes?: number
  /** Absent: that of all. */
  readonly kind?: EventKind
}

/** What the statement that changes records tells of them. */
export interface ToldChange {
  readonly object: string
  readonly origin: string
  readonly isOfSeveralCalls: boolean
  /** The changed fields that are told. */
  readonly fields: readonly Field[]
  /** Of each of them the member of the event's values, for each record. */
  readonly members: readonly (readonly string[])[]
  /** The member that says by whom the record was changed. */
  readonly by: string
}

/** The columns of an event but those that say which transaction it is of. */
const COLUMNS = sql.raw('org_id, object, kind, ids, content, changes, user_id, at, origin')

/** Transactions of calls that the database has in one: beyond all numbers of its own. */
const OWN_TRANSACTION = sql.raw('(9223372036854775808::numeric + number)::text::xid8')

/** @param events select list and source of the columns of an event, without transaction */
const insertEvents = (isOfSeveralCalls: boolean, events: Sql): Sql =>
  isOfSeveralCalls
    ? sql`insert into objectry.event (number, transaction, ${COLUMNS}) overriding system value
          select number, ${OWN_TRANSACTION}, ${COLUMNS}
          from (select nextval('objectry.event_number_seq') as number, listed.* from (${events}) listed (${COLUMNS})) numbered`
    : sql`insert into objectry.event (${COLUMNS}) ${events}`

/** Writes events into the log of an org, in the transaction of what they tell of and in their order. */
export const logEvents = (
  org: Org,
  { object, kind, origin, isOfSeveralCalls = false }: Logged,
  events: readonly NewEvent[],
  { userId, timestamp }: AuditFields,
): Sql =>
  insertEvents(
    isOfSeveralCalls,
    sql`select ${org.id}::text, ${object}::text, made.kind, string_to_array(ids, ','), content, changes, ${userId}::text, ${timestampSql(timestamp)}, ${origin}::text
        from unnest(${events.map(({ ids = [] }) => ids.join())}::text[], ${events.map(({ content }) => content)}::text[],
                    ${events.map(({ changes = 0 }) => changes)}::integer[], ${events.map((event) => event.kind ?? kind)}::text[])
             with ordinality as made (ids, content, changes, kind, place)
        order by place`,
  )

/** The values of `logChanges`, in their order. */
export const logging = (
  org: Org,
  { object, origin, by }: ToldChange,
  { userId, timestamp: { time, ahead } }: AuditFields,
) => [org.id, object, userId, time, ahead, origin, by]

/**
 * Writes the events of changes, from `changed (id, told, count, is_other)`: the members that differ, how many they are, and if somebody else changed
 * the record before.
 */
export function logChanges(org: Org, told: ToldChange, { userId, timestamp }: AuditFields): Sql {
  const { object, origin, by, isOfSeveralCalls } = told
  const grouped = isOfSeveralCalls
    ? sql`select array[id] as ids, told, changes, id from made`
    : sql`select array_agg(id order by id) as ids, told, sum(changes)::integer as changes, min(id) as id from made group by told`
  const isTooLong = sql.raw(`length(told) > ${MAX_EVENT_LENGTH}`)
  return insertEvents(
    isOfSeveralCalls,
    sql`select ${org.id}::text, ${object}::text, case when ${isTooLong} then 'GAP_UPDATE' else 'UPDATE' end, ids,
               case when ${isTooLong} then '{}' else '{"values":{' || told || '}}' end, changes, ${userId}::text, ${timestampSql(timestamp)}, ${origin}::text
        from (with made as (select id, told || case when is_other then ',' || ${by} else '' end as told, count + 1 + is_other::integer as changes
                            from changed where told <> '')
              ${grouped}) alike
        order by id`,
  )
}
