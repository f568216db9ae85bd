import { type Sql, sql } from '../../base/sql.ts'
import { checkHoldsNone, holdConnection } from './connection-guard.ts'
import type { Db, Row } from './db.ts'

/** What a driver must offer: run a statement on one connection. */
export interface Connection {
  query<R>(statement: Sql): Promise<R[]>
  rows(statement: Sql): Promise<Row[]>
  script(text: string): Promise<void>
}

export interface Driver {
  /** Autocommit; any connection. */
  readonly connection: Connection
  /** Begin, work on one connection, commit; roll back when the work throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
}

/** For a driver that opens its transactions itself. */
export const transactionSql = { begin: 'begin', commit: 'commit', rollback: 'rollback' } as const

/** Whether a statement may change something, as far as its words tell. */
export const mayWrite = (text: string): boolean =>
  !/^\s*(select|with)\b/i.test(text) || /\b(insert|update|delete|merge)\b/i.test(text)

/** Tasks that wait for the outermost commit. */
type AfterCommit = (() => void)[]

const scriptText = (statements: readonly Sql[]) =>
  statements
    .map((statement) => {
      if (statement.values.length > 0) throw new TypeError('a script takes no values')
      return statement.text
    })
    .join(';\n')

/** The `Db` of a driver, outside any transaction. */
export function makeDb(driver: Driver): Db {
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
    afterCommit: (task) => task(),
  }
  return db
}

/** For a statement that nobody waits for: what comes behind it tells of its failure. */
const send = (statement: Promise<unknown>) => void statement.catch(() => {})

/** A transaction as a `Db`: its transactions are savepoints, and what a rolled back one queued is dropped. */
function makeTransactionDb(connection: Connection, tasks: AfterCommit, depth: number): Db {
  const savepoint = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const name = sql.id(`s${depth}`)
    const inner: AfterCommit = []
    // It travels with the statement behind it, which fails if it does.
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
  return {
    isTransaction: true,
    query: (statement) => connection.query(statement),
    rows: (statement) => connection.rows(statement),
    script: (statements) => connection.script(scriptText(statements)),
    transaction: savepoint,
    attempt: savepoint,
    afterCommit: (task) => void tasks.push(task),
  }
}
