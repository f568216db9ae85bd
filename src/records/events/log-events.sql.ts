import { type Sql, sql } from '../../base/sql.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { EventKind } from './event-content.ts'

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
}

/** Writes events into the log of an org, in the transaction of what they tell of and in their order. */
export const logEvents = (
  org: Org,
  { object, kind, origin }: Logged,
  events: readonly NewEvent[],
  { userId, timestamp }: AuditFields,
): Sql =>
  sql`insert into objectry.event (org_id, object, kind, ids, content, changes, user_id, at, origin)
      select ${org.id}, ${object}, ${kind}, string_to_array(ids, ','), content, changes, ${userId}, ${timestampSql(timestamp)}, ${origin}
      from unnest(${events.map(({ ids = [] }) => ids.join())}::text[], ${events.map(({ content }) => content)}::text[],
                  ${events.map(({ changes = 0 }) => changes)}::integer[]) with ordinality as made (ids, content, changes, place)
      order by place`
