import type { Sql } from '../../base/sql.ts'
import type { CoalescedWork } from './coalescer.ts'
import type { Watch } from './watch.ts'

/** Bytes that are already in the database, waiting to become part of a record. */
export class WaitingBytes {
  readonly id: string
  readonly length: number
  readonly md5: string

  constructor(id: string, length: number, md5: string) {
    this.id = id
    this.length = length
    this.md5 = md5
  }
}

export const isBytes = (value: unknown): value is Uint8Array | WaitingBytes =>
  value instanceof Uint8Array || value instanceof WaitingBytes

/**
 * The only access to the database. A transaction is a `Db` too, so code runs unchanged in or out of one. No database is
 * exported; code receives it as a parameter.
 */
export interface Db {
  readonly isTransaction: boolean
  /** True if orgs are on the nodes of a cluster: a statement that writes names the tables of an org or those of the platform, not both. */
  readonly isCluster: boolean
  /** Rows as objects with the names in the select list. */
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  /** Rows as arrays in the order of the select list: for records, whose field names differ from their column names. */
  rows(statement: Sql): Promise<Row[]>
  /** Several statements without values: definitions and migrations. */
  script(statements: readonly Sql[]): Promise<void>
  /** Runs work atomically. Inside a transaction it is a savepoint. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * For work of a single statement: if it fails, the connection remains usable. Outside a transaction a statement is
   * atomic by itself and this costs nothing; inside it is a savepoint.
   */
  attempt<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Does work for one item, together with items of other calls that come meanwhile; inside a transaction alone.
   * @see CoalescedWork, whose statements must not contain placeholders for the caller
   */
  coalesce<Item, Result>(work: CoalescedWork<Item, Result>, item: Item): Promise<Result>
  /**
   * Sends a statement once, right before the outermost commit, and drops it on rollback: whoever sends it several times in a
   * transaction changes once, and holds its locks no longer than the commit takes. Outside a transaction it is sent immediately.
   */
  beforeCommit(statement: Sql): Promise<void>
  /**
   * Sends a statement after the outermost transaction has ended, if what it is called in is rolled back: for what shall stay
   * whatever becomes of the transaction. It is sent once, unless one before it failed, and does not change how the transaction ends. Outside a transaction nothing is rolled back.
   */
  afterRollback(statement: Sql): void
  /** Runs a task after the outermost commit, and drops it on rollback. Outside a transaction it runs immediately. */
  afterCommit(task: () => void): void
}

/**
 * The values that both drivers return: booleans and numbers (int, numeric, float) as such, arrays of text as
 * arrays, JSON parsed, everything else as PostgreSQL's text. `WaitingBytes` is for parameters only.
 */
export type ColumnValue = string | number | boolean | null | Uint8Array | WaitingBytes | readonly string[]
export type Row = readonly ColumnValue[]

/** `ready` if the database accepts writes now, otherwise the reason. */
export type Readiness =
  | 'ready'
  | 'the database does not answer'
  | 'the database is read-only'
  | 'the disk of the data folder is full'
  | 'the disk of the database is full'
  | 'the database server of the org does not answer'

/**
 * A separate connection for long work: its statements have no time limit, and it takes no connection from the calls of
 * clients. On the embedded engine, which has a single connection, it shares that one.
 */
export interface Maintenance {
  readonly db: Db
  /** True if calls go on beside it: a transaction may be long, and an index can be built without blocking writes. */
  readonly isConcurrent: boolean
  /**
   * Takes a lock that at most one connection to the database holds. The lock ends with the connection.
   * @returns false if another connection holds it
   */
  tryLock(): Promise<boolean>
  /** True if others wait for locks of the running statement. */
  isInTheWay(): Promise<boolean>
  /** Cancels the running statement, if there is one. */
  cancel(): Promise<void>
  close(): Promise<void>
}

/** An open engine: its `Db` for work outside transactions, and functions that make others. */
export interface Engine {
  readonly kind: 'pglite' | 'postgres'
  readonly db: Db
  /** A `Db` whose statements are watched, as for one call. Creating one is cheap. */
  watched(watch: Watch): Db
  /**
   * The same for short statements that must not wait behind calls, such as those on tokens and quotas before a call
   * begins. On PostgreSQL it has separate connections, and a time limit of five seconds for each statement;
   * on the embedded engine at least one of five turns is for calls that wait.
   */
  reserved(watch: Watch): Db
  /**
   * Answers within about a second, even when every connection is in use or the database is down.
   * @param orgId in a cluster the node of that org has to answer too, which takes three seconds at most
   */
  checkReadiness(orgId?: string): Promise<Readiness>
  /** Opens a separate connection for long work. */
  openMaintenance(): Promise<Maintenance>
  close(): Promise<void>
}
