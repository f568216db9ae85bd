import type { Db } from './db.ts'

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
