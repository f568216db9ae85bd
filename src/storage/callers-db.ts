import { asCaller } from '../base/caller.sql.ts'
import type { Sql } from '../base/sql.ts'
import type { Db } from './database/db.ts'
import { OutcomeUnknown } from './database/pg-error.ts'
import { mayWrite } from './database/transaction.sql.ts'
import type { Org } from './orgs/org.ts'

/** Counts what a call has committed. A commit whose outcome is unknown counts too. */
export class Commits {
  count = 0
}

/**
 * A `Db` whose statements may contain placeholders for the caller.
 * @param commits counts the committed writes; undefined: nobody asks
 */
export const callersDb = (db: Db, org: Org, userId: string, commits?: Commits): Db =>
  makeDb(
    db,
    (statement) => asCaller(statement, org.schemaName, userId),
    () => {
      if (commits !== undefined) commits.count++
    },
  )

/** @param noteWrite called for each write that `db` has carried out, or may have */
function makeDb(db: Db, fillIn: (statement: Sql) => Sql, noteWrite: () => void): Db {
  /** @param wrote judges the result */
  const noted = <T>(done: Promise<T>, wrote: (result: T) => boolean): Promise<T> =>
    done.then(
      (result) => {
        if (wrote(result)) noteWrite()
        return result
      },
      (error) => {
        if (error instanceof OutcomeUnknown) noteWrite()
        throw error
      },
    )

  const send = <T>(statement: Sql, sent: Promise<T>): Promise<T> =>
    mayWrite(statement.text) ? noted(sent, () => true) : sent

  /** Writes inside count once the whole transaction has succeeded. */
  const runInside = <T>(run: Db['transaction'], work: (db: Db) => Promise<T>): Promise<T> => {
    let hasWritten = false
    const noteInside = () => {
      hasWritten = true
    }
    const done = run((inside) => work(inside === db ? own : makeDb(inside, fillIn, noteInside)))
    return noted(done, () => hasWritten)
  }

  const own: Db = {
    isTransaction: db.isTransaction,
    isCluster: db.isCluster,
    query: (statement) => send(statement, db.query(fillIn(statement))),
    rows: (statement) => send(statement, db.rows(fillIn(statement))),
    script: (statements) => noted(db.script(statements), () => true),
    transaction: (work) => runInside(db.transaction, work),
    attempt: (work) => runInside(db.attempt, work),
    // The work of a run for several calls cannot rely on the caller of one.
    coalesce: (work, item) => noted(db.coalesce(work, item), (result) => work.wrote?.(result) === true),
    beforeCommit: (statement) => noted(db.beforeCommit(fillIn(statement)), () => true),
    afterRollback: (statement) => db.afterRollback(fillIn(statement)),
    afterCommit: (task) => db.afterCommit(task),
  }
  return own
}
