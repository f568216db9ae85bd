import { Cache } from '../../base/cache.ts'
import { asCaller } from '../../base/caller.sql.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { CoalescedWork } from '../../storage/database/coalescer.ts'
import type { ColumnValue, Db, Row } from '../../storage/database/db.ts'
import { type MakeShared, makeShared } from './shared-statement.sql.ts'

/** Statements that take longer gain nothing from one that has the values of several, and would keep each other waiting. */
const MAX_MILLISECONDS = 5

/** Maximum duration of a single statement with values; waiting for a busy machine counts in full. */
const MAX_SINGLE_MILLISECONDS = 50

/** Of one without values. It is shared while it is slow, too; but a call that leaves ends the run of all that share it. */
const MAX_CONSTANT_MILLISECONDS = 1000

/** As many rows of one statement are worth sharing: more take longer to receive than to ask for. */
const MAX_ROWS = 200

/** A kind of statement is long when so many runs in a row took long. */
const LONG_RUNS = 4

/** Long statements are not shared for this time. */
const APART_MILLISECONDS = 10_000

/** Texts of statements that are known to repeat, in this process. */
const MAX_TEXTS = 1000

type Rows = readonly Row[]

/** The statements that differ, and for each of all statements the index of its equal among them. */
function findDistinct(statements: readonly Sql[]): { distinct: readonly Sql[]; indexes: readonly number[] } {
  const known = new Map<string, number>()
  const distinct: Sql[] = []
  const indexes = statements.map((statement) => {
    const key = JSON.stringify(statement.values)
    const index = known.get(key) ?? distinct.push(statement) - 1
    known.set(key, index)
    return index
  })
  return { distinct, indexes }
}

/** The rows of each statement. Their last column, which says whose they are, is taken from them. */
function separate(rows: Rows, count: number): readonly Rows[] {
  const results: Row[][] = Array.from({ length: count }, () => [])
  for (const row of rows) {
    const number = (row as ColumnValue[]).pop()
    results[Number(number) - 1]!.push(row)
  }
  return results
}

/** Statements of one text: they differ in their values only. */
class StatementKind implements CoalescedWork<Sql, Rows> {
  readonly #isConstant: boolean
  readonly #makeShared: MakeShared | undefined
  #longRuns = 0
  #apartUntil = 0

  constructor(statement: Sql) {
    this.#isConstant = statement.values.length === 0
    this.#makeShared = makeShared(statement)
  }

  /** True if those of several calls may run together now. */
  get isShared(): boolean {
    return (this.#isConstant || this.#makeShared !== undefined) && performance.now() >= this.#apartUntil
  }

  async run(db: Db, statements: readonly Sql[]): Promise<readonly Rows[]> {
    if (statements.length === 1) return [await this.#runOne(db, statements[0]!)]
    const { distinct, indexes } = findDistinct(statements)
    const results =
      distinct.length === 1 ? [await this.#runOne(db, distinct[0]!)] : await this.#runSeveral(db, distinct)
    return indexes.map((index) => results[index]!)
  }

  #runOne(db: Db, statement: Sql): Promise<Rows> {
    const isFew = (rows: Rows) => this.#isConstant || rows.length <= MAX_ROWS
    const maxMs = this.#isConstant ? MAX_CONSTANT_MILLISECONDS : MAX_SINGLE_MILLISECONDS
    return this.#watch(maxMs, isFew, () => db.rows(statement))
  }

  async #runSeveral(db: Db, statements: readonly Sql[]): Promise<readonly Rows[]> {
    const { length } = statements
    const isFew = (rows: Rows) => rows.length <= MAX_ROWS * length
    const rows = await this.#watch(MAX_MILLISECONDS * length, isFew, () =>
      db.rows(this.#makeShared!(statements)),
    )
    return separate(rows, length)
  }

  /** Notes whether a run is short. */
  async #watch(maxMs: number, isFew: (rows: Rows) => boolean, run: () => Promise<Rows>): Promise<Rows> {
    const start = performance.now()
    let isShort = false
    try {
      const rows = await run()
      isShort = performance.now() - start <= maxMs && isFew(rows)
      return rows
    } finally {
      this.#longRuns = isShort ? 0 : this.#longRuns + 1
      if (this.#longRuns >= LONG_RUNS) this.#apartUntil = performance.now() + APART_MILLISECONDS
    }
  }
}

const kinds = new Cache<StatementKind>(MAX_TEXTS)

/**
 * The rows of a statement that only reads. Where calls send statements of the same text faster than the database answers, one is
 * sent for several of them, if such statements are quick and have few rows. Nobody may change the rows: several calls may have the same.
 */
export async function rowsTogether({ db, org, principal }: Context, statement: Sql): Promise<Rows> {
  const own = asCaller(statement, org.schemaName, principal.userId)
  const kind = kinds.of(own.text, () => new StatementKind(own))
  return kind.isShared ? db.coalesce(kind, own) : db.rows(own)
}
