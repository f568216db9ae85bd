import { sql } from '../../src/base/sql.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import type { TestOrg } from './org.ts'

/** Keeps everybody else from the table of an object until the work is done. */
export function whileTableIsLocked<T>(
  { db, org }: Pick<TestOrg, 'db' | 'org'>,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql`lock table ${sql.id(org.schemaName, table)} in access exclusive mode`)
    // The work is somebody else's: it has connections of its own.
    return besideCalls(work)
  })
}

/** Lets transactions of new connections to the database write, or not. */
export const setReadOnly = (database: string, isReadOnly: boolean) =>
  sql`alter database ${sql.id(database)} set default_transaction_read_only = ${sql.raw(isReadOnly ? 'on' : 'off')}`

/** Ends all other connections to the database. */
export const terminateOthers = sql`select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** How many connections to the database wait for an advisory lock. */
export const waitingLocks = sql`select count(*)::int as count from pg_locks
  where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`

/** How many circles of waiting transactions the database has found. Connections report theirs when they end a transaction. */
export const deadlocksFound = sql`select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`
