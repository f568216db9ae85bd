import { type Sql, sql } from '../../base/sql.ts'
import type { CoalescedWork, Coalescer } from './coalescer.ts'
import { checkHoldsNone, holdConnection } from './connection-guard.ts'
import type { Db, Row } from './db.ts'
import type { Watch } from './watch.ts'

/** Runs statements on one connection. */
export interface Connection {
  query<R>(statement: Sql): Promise<R[]>
  rows(statement: Sql): Promise<Row[]>
  script(text: string): Promise<void>
}

export interface Driver {
  /** Autocommit, on any connection. */
  readonly connection: Connection
  /** Begins a transaction, runs the work on one connection, and commits; rolls back if the work throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
}

/** For drivers that control transactions themselves. */
export const transactionSql = { begin: 'begin', commit: 'commit', rollback: 'rollback' } as const

/** True if a statement may write, judged by its text: a `select` has no other statements in it, the others may. */
export function mayWrite(text: string): boolean {
  const [, first] = /^\s*(select|with|explain)\b/i.exec(text) ?? []
  if (first === undefined) return true
  return first.toLowerCase() !== 'select' && /\b(insert|update|delete|merge)\b/i.test(text)
}

/** Tasks to run after the outermost commit. */
type AfterCommit = (() => void)[]

const scriptText = (statements: readonly Sql[]) =>
  statements
    .map((statement) => {
      if (statement.values.length > 0) throw new TypeError('a script takes no values')
      return statement.text
    })
    .join(';\n')

/**
 * The `Db` of a driver, outside any transaction.
 * @param coalescer undefined: work is never put together
 * @param watch the driver's
 */
export function makeDb(driver: Driver, coalescer?: Coalescer, watch?: Watch): Db {
  const { connection } = driver
  const db: Db = {
    isTransaction: false,
    async query(statement) {
      checkHoldsNone()
      return connection.query(statement)
    },
    async rows(statement) {
      checkHoldsNone()
      return connection.rows(statement)
    },
    async script(statements) {
      checkHoldsNone()
      return connection.script(scriptText(statements))
    },
    async transaction(work) {
      checkHoldsNone()
      const tasks: AfterCommit = []
      const result = await driver.transaction((inside) =>
        holdConnection(() => work(makeTransactionDb(inside, tasks, 1))),
      )
      for (const task of tasks) task()
      return result
    },
    attempt: (work) => work(db),
    async coalesce(work, item) {
      checkHoldsNone()
      return coalescer === undefined ? runOne(db, work, item) : coalescer.run(work, item, db, watch)
    },
    afterCommit: (task) => task(),
  }
  return db
}

const runOne = async <Item, Result>(db: Db, work: CoalescedWork<Item, Result>, item: Item) =>
  (await work.run(db, [item]))[0]!

/** Sends a statement without waiting for it: if it fails, the next statement fails too. */
const send = (statement: Promise<unknown>) => void statement.catch(() => {})

/** A transaction as a `Db`: nested transactions are savepoints, and tasks queued by one that is rolled back are dropped. */
function makeTransactionDb(connection: Connection, tasks: AfterCommit, depth: number): Db {
  const savepoint = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const name = sql.id(`s${depth}`)
    const inner: AfterCommit = []
    // It is pipelined with the next statement, which fails if the savepoint does.
    send(connection.query(sql`savepoint ${name}`))
    let result: T
    try {
      result = await work(makeTransactionDb(connection, inner, depth + 1))
    } catch (error) {
      await connection.query(sql`rollback to savepoint ${name}`)
      await connection.query(sql`release savepoint ${name}`)
      throw error
    }
    send(connection.query(sql`release savepoint ${name}`))
    tasks.push(...inner)
    return result
  }
  const db: Db = {
    isTransaction: true,
    query: (statement) => connection.query(statement),
    rows: (statement) => connection.rows(statement),
    script: (statements) => connection.script(scriptText(statements)),
    transaction: savepoint,
    attempt: savepoint,
    coalesce: (work, item) => runOne(db, work, item),
    afterCommit: (task) => void tasks.push(task),
  }
  return db
}
