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
  /** True if the database is a Citus cluster. */
  readonly isCluster: boolean
  /** Autocommit, on any connection. */
  readonly connection: Connection
  /** Begins a transaction, runs the work on one connection, and commits; rolls back if the work throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
}

/** For drivers that control transactions themselves. */
export const transactionSql = { begin: 'begin', commit: 'commit', rollback: 'rollback' } as const

/** Keeps a place in a transaction, or goes back to it. */
const SAVEPOINT = /^(rollback to |release )?savepoint "s\d+"$/

/** True if a statement may write, judged by its text: a `select` has no other statements in it, the others may. */
export function mayWrite(text: string): boolean {
  if (SAVEPOINT.test(text)) return false
  const [, first] = /^\s*(select|with|explain)\b/i.exec(text) ?? []
  if (first === undefined) return true
  return first.toLowerCase() !== 'select' && /\b(insert|update|delete|merge)\b/i.test(text)
}

/** The work of one transaction: notes whether it may have written, and refuses the statements that it sends too late. */
export class TransactionWork {
  #hasWritten = false
  #isOver = false

  get hasWritten(): boolean {
    return this.#hasWritten
  }

  /** Runs the work. What it has started and not waited for can send nothing afterwards: the connection belongs to others then. */
  async run<T>(work: (connection: Connection) => Promise<T>, connection: Connection): Promise<T> {
    try {
      return await work({
        query: async (statement) => {
          this.#note(mayWrite(statement.text))
          return connection.query(statement)
        },
        rows: async (statement) => {
          this.#note(mayWrite(statement.text))
          return connection.rows(statement)
        },
        script: async (text) => {
          this.#note(true)
          return connection.script(text)
        },
      })
    } finally {
      this.#isOver = true
    }
  }

  #note(isWrite: boolean): void {
    if (this.#isOver) throw new Error('The transaction is over: a statement was sent that nothing waited for')
    this.#hasWritten ||= isWrite
  }
}

/** Waits for the end of the outermost transaction. */
interface AtEnd {
  /** Statements to send before its commit, by their text and values. */
  readonly statements: Map<string, Sql>
  /** Tasks to run after its commit. */
  readonly tasks: (() => void)[]
  /** Statements to send after it, should it be rolled back. */
  readonly ifRolledBack: Sql[]
  /** Statements to send after it, whatever its end: of savepoints that were rolled back. */
  readonly afterwards: Sql[]
}

const makeAtEnd = (): AtEnd => ({ statements: new Map(), tasks: [], ifRolledBack: [], afterwards: [] })

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
  const { connection, isCluster } = driver
  const db: Db = {
    isTransaction: false,
    isCluster,
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
      const atEnd = makeAtEnd()
      const sendAfterwards = async (statements: readonly Sql[]) => {
        // The caller gets to know how the transaction ended, and not what came later. Each statement waits for a connection.
        try {
          for (const statement of statements) await connection.query(statement)
        } catch {}
      }
      let result: Awaited<ReturnType<typeof work>>
      try {
        result = await driver.transaction((inside) =>
          holdConnection(async () => {
            const done = await work(makeTransactionDb(inside, isCluster, atEnd, 1))
            for (const statement of atEnd.statements.values()) await inside.query(statement)
            return done
          }),
        )
      } catch (error) {
        await sendAfterwards([...atEnd.afterwards, ...atEnd.ifRolledBack])
        throw error
      }
      for (const task of atEnd.tasks) task()
      await sendAfterwards(atEnd.afterwards)
      return result
    },
    attempt: (work) => work(db),
    async coalesce(work, item) {
      checkHoldsNone()
      return coalescer === undefined ? runOne(db, work, item) : coalescer.run(work, item, db, watch)
    },
    async beforeCommit(statement) {
      await db.query(statement)
    },
    afterRollback() {},
    afterCommit: (task) => task(),
  }
  return db
}

const runOne = async <Item, Result>(db: Db, work: CoalescedWork<Item, Result>, item: Item) =>
  (await work.run(db, [item]))[0]!

/** Sends a statement without waiting for it: if it fails, the next statement fails too. */
const send = (statement: Promise<unknown>) => void statement.catch(() => {})

/** A transaction as a `Db`: nested transactions are savepoints, and what one that is rolled back has queued is dropped. */
function makeTransactionDb(connection: Connection, isCluster: boolean, atEnd: AtEnd, depth: number): Db {
  const { statements, tasks, ifRolledBack, afterwards } = atEnd
  const savepoint = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const name = sql.id(`s${depth}`)
    const inner = makeAtEnd()
    // It is pipelined with the next statement, which fails if the savepoint does.
    send(connection.query(sql`savepoint ${name}`))
    let result: T
    try {
      result = await work(makeTransactionDb(connection, isCluster, inner, depth + 1))
    } catch (error) {
      afterwards.push(...inner.afterwards, ...inner.ifRolledBack)
      await connection.query(sql`rollback to savepoint ${name}`)
      await connection.query(sql`release savepoint ${name}`)
      throw error
    }
    send(connection.query(sql`release savepoint ${name}`))
    for (const [key, statement] of inner.statements) statements.set(key, statement)
    tasks.push(...inner.tasks)
    ifRolledBack.push(...inner.ifRolledBack)
    afterwards.push(...inner.afterwards)
    return result
  }
  const db: Db = {
    isTransaction: true,
    isCluster,
    query: (statement) => connection.query(statement),
    rows: (statement) => connection.rows(statement),
    // Citus carries out one command at a time.
    async script(statements) {
      for (const statement of statements) await connection.script(scriptText([statement]))
    },
    transaction: savepoint,
    attempt: savepoint,
    coalesce: (work, item) => runOne(db, work, item),
    async beforeCommit(statement) {
      statements.set(JSON.stringify([statement.text, statement.values]), statement)
    },
    afterRollback: (statement) => void ifRolledBack.push(statement),
    afterCommit: (task) => void tasks.push(task),
  }
  return db
}
