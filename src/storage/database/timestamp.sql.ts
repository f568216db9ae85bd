import { secondsText } from '../../base/clock.ts'
import { type Sql, sql } from '../../base/sql.ts'

/** The time of a write, by the clock of its org. */
export interface Timestamp {
  /** As text, with whole seconds. */
  readonly time: string
  /** Offset of the org's clock from the system clock, as text of PostgreSQL's type `interval`. */
  readonly ahead: string
}

/** @param now the current time by the org's clock */
export function makeTimestamp(now: Date): Timestamp {
  return { time: secondsText(now), ahead: `${now.getTime() - Date.now()} milliseconds` }
}

/**
 * The timestamp as it is stored: the given time, or the start of the transaction by the database's clock if that is
 * later, as for a statement that waited for a connection. So uncommitted timestamps are never older than the oldest
 * transaction, and queries for changes can report up to when they are complete. (docs/reference/api/records.md#changes)
 * Both parts are values of their types, so that they are read once and not for each row.
 */
export const timestampSql = ({ time, ahead }: Timestamp): Sql =>
  sql`greatest(${time}::timestamptz, date_trunc('second', transaction_timestamp() + ${ahead}::interval))`

/** The time at which it is evaluated, with whole seconds: later than every lock that the statement took before. */
export const clockSql = ({ ahead }: Timestamp): Sql =>
  sql`date_trunc('second', clock_timestamp() + ${ahead}::interval)`

/** Application name of a server's connections in the database. */
export const APPLICATION = 'objectry'

/** Covers the delay until other sessions see a new transaction, and the difference of clocks. */
const MARGIN_SECONDS = 2

/**
 * The time, in seconds since 1970 by the org's clock, up to which the next statement sees every stored timestamp: the
 * start of the oldest transaction of any server, or now. It must be queried first and in a separate statement: a
 * transaction that begins after it stores later timestamps. Servers see each other's transactions if they log in to the
 * database as the same role.
 */
export const settledSql = ({ ahead }: Timestamp): Sql =>
  sql`select extract(epoch from least(clock_timestamp(), min(xact_start)) + ${ahead}::interval)::float8 - ${MARGIN_SECONDS}::integer as settled
      from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION} and pid <> pg_backend_pid()`

/** A time, given in seconds since 1970. */
export const fromSeconds = (seconds: number | null): Sql => sql`to_timestamp(${seconds}::float8)`

/** Seconds since 1970 of a stored time. Citus carries out a write that returns it, because it does not depend on the session. */
export const toSeconds = (time: Sql): Sql => sql`extract(epoch from ${time} at time zone 'UTC')::float8`
