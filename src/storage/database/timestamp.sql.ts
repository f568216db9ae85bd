import { secondsText } from '../../base/clock.ts'
import { type Sql, sql } from '../../base/sql.ts'

/** When something is written, by the clock of its org. */
export interface Timestamp {
  /** A text with whole seconds. */
  readonly time: string
  /** Milliseconds that the org's clock is ahead of the machine's. */
  readonly ahead: number
}

/** @param now by the org's clock, taken just now */
export function makeTimestamp(now: Date): Timestamp {
  return { time: secondsText(now), ahead: now.getTime() - Date.now() }
}

/**
 * The moment as it is stored: the time that was taken, or the beginning of the transaction by the database's clock if that
 * is later, as for a statement that waited for a connection. So what is not committed yet is never older than the
 * oldest transaction, and who asks what changed can be told up to when nothing is missing. (docs/reference/api/records.md#changes)
 */
export const timestampSql = ({ time, ahead }: Timestamp): Sql =>
  sql`greatest(${time}::text::timestamptz, date_trunc('second', transaction_timestamp() + ${ahead}::float8 * interval '1 millisecond'))`

/** The name under which a server's connections are seen by the database. */
export const APPLICATION = 'objectry'

/** More than a transaction takes from its beginning until others see that it began, and clocks are apart. */
const MARGIN_SECONDS = 2

/**
 * Up to when every moment that was ever stored is seen by the statement behind this one, in seconds since 1970 by the
 * org's clock: the beginning of the oldest transaction of any server, or now. It has to be asked first and by a statement
 * of its own: a transaction that begins after it stores later moments. Servers see each other's transactions when they
 * sign in to the database as the same role.
 */
export const settledSql = ({ ahead }: Timestamp): Sql =>
  sql`select extract(epoch from least(clock_timestamp(), min(xact_start)))::float8 + ${ahead}::float8 / 1000 - ${MARGIN_SECONDS}::integer as settled
      from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION} and pid <> pg_backend_pid()`
