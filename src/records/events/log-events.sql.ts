import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import { toldValue } from '../../schema/fields/told-value.sql.ts'
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

/** A write whose statement logs its events. */
export interface ToldWrite {
  readonly org: Org
  readonly object: string
  /** Records that are made; otherwise they are changed. */
  readonly isNew: boolean
  readonly origin: string
  /** Each record is that of another call: its event is told as a transaction of its own. */
  readonly isOfSeveralCalls: boolean
  /** Of changes those that are told where they differ from what was. */
  readonly fields: readonly Field[]
  /** Told of each changed record. */
  readonly enriched: readonly Field[]
  readonly audit: AuditFields
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
  { object, kind, origin }: Logged,
  events: readonly NewEvent[],
  { userId, timestamp }: AuditFields,
): Sql =>
  sql`insert into objectry.event (${COLUMNS})
      select ${org.id}, ${object}, made.kind, string_to_array(ids, ','), content, changes, ${userId}, ${timestampSql(timestamp)}, ${origin}
      from unnest(${events.map(({ ids = [] }) => ids.join())}::text[], ${events.map(({ content }) => content)}::text[],
                  ${events.map(({ changes = 0 }) => changes)}::integer[], ${events.map((event) => event.kind ?? kind)}::text[])
           with ordinality as made (ids, content, changes, kind, place)
      order by place`

/** The values of `withEvents` behind those of the write, in their order. */
export const toldValues = ({ org, object, isNew, origin, audit: { userId, timestamp } }: ToldWrite) => [
  ...[org.id, object, userId, timestamp.time, timestamp.ahead, origin],
  ...(isNew ? [] : [JSON.stringify(userId)]),
]

const list = (members: readonly Sql[]): Sql =>
  members.length === 0 ? sql`''` : sql`concat_ws(',', ${sql.join(members)})`

/** A member of JSON, where a condition holds. */
const member = (field: Field, column: Sql, condition: Sql, isNullable: boolean): Sql => {
  const value = toldValue(column, field)
  const text = isNullable ? sql`coalesce(${value}, 'null')` : value
  return sql`case when ${condition} then ${sql.raw(quoteText(`${JSON.stringify(field.name)}:`))} || ${text} end`
}

/** True if the statement that writes `target` changes the column of `held`. */
const differs = (column: Sql) => sql`(held.${column} is distinct from target.${column})`

/** The `returning` clause of the write: of each record the members of its event. */
export function returnTold({ isNew, fields, enriched }: ToldWrite): Sql {
  const id = (field: Field) => sql.id(field.column!)
  if (isNew) {
    const members = fields.map((field) => member(field, id(field), sql`${id(field)} is not null`, false))
    return sql`returning id, ${list(members)} as told, '' as more`
  }
  const at = (field: Field) => sql`target.${id(field)}`
  const members = fields.map((field) => member(field, at(field), differs(id(field)), true))
  const more = enriched.map((field) => member(field, at(field), sql`${at(field)} is not null`, false))
  const count = fields.map((field) => sql`${differs(id(field))}::integer`)
  return sql`returning target.id, ${list(members)} as told, ${list(more)} as more, ${sql.join(count, ' + ')} as count,
                       ${differs(sql`lastmodifiedbyid`)} as is_other`
}

/**
 * A statement that writes records and logs their events.
 * @param others further parts of the statement
 * @param write ends with `returnTold`
 * @returns the written ids
 */
export function withEvents(others: readonly Sql[], write: Sql, told: ToldWrite): Sql {
  const { org, object, isNew, origin, isOfSeveralCalls, audit } = told
  const kind = isNew ? 'CREATE' : 'UPDATE'
  const by = sql`case when is_other then ',"LastModifiedById":' || ${JSON.stringify(audit.userId)} else '' end`
  const made = isNew
    ? sql`select id, told as values, more, 1 as changes from written`
    : sql`select id, told || ${by} as values, more, count + 1 + is_other::integer as changes from written where told <> ''`
  const alike = isOfSeveralCalls
    ? sql`select array[id] as ids, content, changes, id from told`
    : sql`select array_agg(id order by id) as ids, content, sum(changes)::integer as changes, min(id) as id from told group by content`
  const isTooLong = sql.raw(`length(content) > ${MAX_EVENT_LENGTH}`)
  const enriched = sql`case when more = '' then '' else ',"enriched":{' || more || '}' end`
  const event = sql`select ${org.id}::text, ${object}::text, case when ${isTooLong} then ${sql.raw(`'GAP_${kind}' else '${kind}'`)} end, ids,
                           case when ${isTooLong} then '{}' else content end, changes, ${audit.userId}::text,
                           ${timestampSql(audit.timestamp)}, ${origin}::text
                    from (with told as (select id, '{"values":{' || values || '}' || ${enriched} || '}' as content, changes from (${made}) made)
                          ${alike}) alike
                    order by id`
  return sql`with ${sql.join([...others, sql`written as (${write})`, sql`logged as (${insertEvents(isOfSeveralCalls, event)})`])}
             select id from written`
}
