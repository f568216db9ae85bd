import type { Sql } from '../../base/sql.ts'
import type { WaitingBytes } from './waiting-bytes.ts'
import type { Watch } from './watch.ts'

/**
 * The only way to the database. A transaction is a `Db` too, so code runs unchanged in or out of one. There is no
 * exported database: whoever needs one is handed it.
 */
export interface Db {
  readonly isTransaction: boolean
  /** Rows as objects with the names of the select list. */
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  /** Rows as arrays in the order of the select list: for records, whose names differ from their columns'. */
  rows(statement: Sql): Promise<Row[]>
  /** Several statements at once, without values: definitions and migrations. */
  script(statements: readonly Sql[]): Promise<void>
  /** All or nothing. Inside a transaction it is a savepoint. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * For work that is one statement: what fails leaves the connection usable. Outside a transaction a statement is
   * atomic by itself and this costs nothing; inside it is a savepoint.
   */
  attempt<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs after the outermost commit; dropped on rollback. Outside a transaction: at once. */
  afterCommit(task: () => void): void
}

/**
 * What both drivers give for a column: booleans and numbers (int, numeric, float) as such, arrays of text as
 * arrays, JSON parsed, everything else as PostgreSQL's text. Bytes that a column is given may be there already.
 */
export type ColumnValue = string | number | boolean | null | Uint8Array | WaitingBytes | readonly string[]
export type Row = readonly ColumnValue[]

/** Whether the database can be written to now; if it cannot, why. */
export type Readiness =
  | 'ready'
  | 'the database does not answer'
  | 'the database is read-only'
  | 'the disk of the data folder is full'

/**
 * A connection of its own for work that takes long: its statements take the time they need, and the calls of clients keep
 * all of theirs. On the embedded engine, which has one connection and one process, it is a way to that one.
 */
export interface Maintenance {
  readonly db: Db
  /** Whether an index can be built while others write. */
  readonly isConcurrent: boolean
  /**
   * Takes the lock that at most one connection to the database has. It ends with the connection, however that ends.
   * @returns false: another one has it
   */
  tryLock(): Promise<boolean>
  /** Whether others wait for what the statement under way has locked. */
  isInTheWay(): Promise<boolean>
  /** Cancels the statement under way, if there is one. */
  cancel(): Promise<void>
  close(): Promise<void>
}

/** An open engine: its `Db` for autocommitted work, and a way to close it. */
export interface Engine {
  readonly kind: 'pglite' | 'postgres'
  readonly db: Db
  /** A `Db` whose statements somebody watches, as for one call. It costs next to nothing to make. */
  watched(watch: Watch): Db
  /**
   * The same for short statements that must not wait behind calls: tokens, the quota, what every call needs to know before
   * it begins. On PostgreSQL it has connections of its own, and each statement five seconds.
   */
  reserved(watch: Watch): Db
  /** Answers within about a second, also when every connection is in use or the database is gone. */
  checkReadiness(): Promise<Readiness>
  /** Opens a connection for work that takes long, beside those of the calls. */
  openMaintenance(): Promise<Maintenance>
  close(): Promise<void>
}
