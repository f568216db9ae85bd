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

/**
 * Writes events into the log of an org, in the transaction of what they tell of.
 * @param contents JSON of each, as `EventContent` has it, in their order
 */
export const logEvents = (
  org: Org,
  { object, kind, origin }: Logged,
  contents: readonly string[],
  { userId, timestamp }: AuditFields,
): Sql =>
  sql`insert into objectry.event (org_id, object, kind, content, user_id, at, origin)
      select ${org.id}, ${object}, ${kind}, content, ${userId}, ${timestampSql(timestamp)}, ${origin}
      from unnest(${contents}::text[]) with ordinality as made (content, place) order by place`
