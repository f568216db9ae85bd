import type { Writable } from 'node:stream'
import pg from 'pg'
import { oncePer } from '../../base/get-or-insert.ts'
import type { Row } from '../database/db.ts'
import { markDatabaseError } from '../database/pg-error.ts'
import { asText, type ValueParser, valueParser } from './value-parsers.ts'

/** A statement for PostgreSQL. */
export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
  /** Name of the prepared statement; undefined: it is prepared for this execution only. */
  readonly name?: string | undefined
  /** Format of a row: an object by default. */
  readonly rowMode?: 'array' | undefined
  /** The message with its values, if that is made already. */
  readonly bind?: readonly Uint8Array[]
  /** True for a command of a script, which may make and change tables. */
  readonly isScript?: boolean
  /** True for a write that the node of its org may carry out by itself. */
  readonly isForNode?: boolean
  /** True if the driver waits for the answer as long as PostgreSQL works. */
  readonly isLong?: boolean
}

export interface StatementResult {
  readonly rows: unknown[]
  /** PostgreSQL's command tag: `COMMIT`, `SELECT 2`. */
  readonly command: string
}

/** How to convert the columns of a result. */
interface Columns {
  readonly names: readonly string[]
  readonly parsers: readonly ValueParser[]
  /** Indexes of the columns whose values are not texts. */
  readonly parsed: readonly number[]
}

interface DescribedColumn {
  readonly name: string
  readonly dataTypeID: number
}

/** The connection that pg's query sends its messages to. */
interface Wire {
  readonly stream: Writable
  describe(message: object): void
}

type Callback = (error: Error | null, result?: StatementResult) => void

/** Private members of pg's query, and the methods that its client calls with the answer. */
interface PgQuery {
  query_timeout?: number
  name: string | undefined
  values: readonly unknown[] | undefined
  callback: Callback
  prepare(connection: Wire): void
  handleRowDescription(message: { readonly fields: readonly DescribedColumn[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
}

const PgQuery = pg.Query as unknown as new (text: string) => PgQuery

/** The longest that a timer can wait, in milliseconds: 24 days. */
const MAX_WAIT_MS = 2 ** 31 - 1

const NO_COLUMNS: Columns = { names: [], parsers: [], parsed: [] }

/** Cache of one connection. */
interface Prepared {
  /** By statement name: PostgreSQL returns the same columns as long as it is prepared, or rejects it. */
  readonly columns: Map<string, Columns>
  /** The connection, without sending requests to describe results. */
  readonly undescribed: Wire
  /** Commands of scripts that it carried out. */
  scripted: number
}

const preparedOf = oncePer(
  (connection: Wire): Prepared => ({
    columns: new Map(),
    scripted: 0,
    undescribed: Object.create(connection, { describe: { value() {} } }),
  }),
)

const wireOf = (client: pg.ClientBase): Wire =>
  (client as unknown as { readonly connection: Wire }).connection

/** Number of statements that PostgreSQL remembers on a connection: prepared ones, and commands of scripts, whose tables it knows. */
export function countRemembered(client: pg.ClientBase): number {
  const { columns, scripted } = preparedOf(wireOf(client))
  return columns.size + scripted
}

/**
 * A running statement. The columns of a prepared statement are requested once per connection: describing them each time
 * costs both sides more than the rest of a short statement.
 */
class StatementQuery extends PgQuery {
  readonly #isArray: boolean
  readonly #bind: readonly Uint8Array[] | undefined
  readonly #rows: unknown[] = []
  #columns: Columns | undefined
  #known: Map<string, Columns> | undefined
  #command = ''
  #failure: Error | undefined

  constructor({ text, values, name, rowMode, bind, isLong }: Statement, callback: Callback) {
    // Only the text: pg copies an object property by property.
    super(text)
    this.name = name
    this.values = values
    this.callback = callback
    this.#isArray = rowMode === 'array'
    this.#bind = bind
    if (isLong) this.query_timeout = MAX_WAIT_MS
  }

  override prepare(connection: Wire): void {
    if (this.name === undefined) {
      super.prepare(this.#bound(connection))
      return
    }
    const { columns, undescribed } = preparedOf(connection)
    this.#known = columns
    this.#columns = columns.get(this.name)
    super.prepare(this.#bound(this.#columns === undefined ? connection : undescribed))
  }

  /** The connection, which is given the message with the values instead of the values. */
  #bound(connection: Wire): Wire {
    const pieces = this.#bind
    if (pieces === undefined) return connection
    const write = () => {
      for (const piece of pieces) connection.stream.write(piece)
    }
    return Object.create(connection, { bind: { value: write } })
  }

  override handleRowDescription({ fields }: { readonly fields: readonly DescribedColumn[] }): void {
    const parsers = fields.map(({ dataTypeID }) => valueParser(dataTypeID))
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers,
      parsed: [...parsers.keys()].filter((index) => parsers[index] !== asText),
    }
  }

  override handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure !== undefined) return
    try {
      this.#rows.push(this.#isArray ? this.#makeArray(fields) : this.#makeObject(fields))
    } catch (failure) {
      this.#failure = failure as Error
    }
  }

  override handleCommandComplete({ text }: { readonly text: string }): void {
    this.#command = text
    if (this.name !== undefined) this.#known?.set(this.name, this.#columns ?? NO_COLUMNS)
  }

  override handleReadyForQuery(): void {
    if (this.#failure === undefined) this.callback(null, { rows: this.#rows, command: this.#command })
    else this.callback(this.#failure)
  }

  #makeArray(texts: readonly (string | null)[]): Row {
    const { parsers, parsed } = this.#columns!
    // pg makes the list for this row alone.
    const row = texts as unknown[]
    for (const index of parsed) {
      const text = texts[index]!
      if (text !== null) row[index] = parsers[index]!(text)
    }
    return row as unknown as Row
  }

  #makeObject(texts: readonly (string | null)[]): Record<string, unknown> {
    const { names, parsers } = this.#columns!
    const row: Record<string, unknown> = {}
    for (const [index, text] of texts.entries()) {
      row[names[index]!] = text === null ? null : parsers[index]!(text)
    }
    return row
  }
}

const corked = new WeakSet<Writable>()

/** Sends what is written in one turn of the event loop at once: a write wakes PostgreSQL up, and costs more than a short statement. */
function collectWrites(stream: Writable): void {
  if (corked.has(stream)) return
  corked.add(stream)
  stream.cork()
  // Promises that are settled go first.
  process.nextTick(() => {
    corked.delete(stream)
    stream.uncork()
  })
}

/** Uses a callback: the results of pg's own promises stay in memory for long, which burdens the garbage collector. */
export const send = (client: pg.ClientBase, statement: Statement): Promise<StatementResult> =>
  new Promise((resolve, reject) => {
    const query = new StatementQuery(statement, (error, result) =>
      error ? reject(markDatabaseError(error)) : resolve(result!),
    )
    const wire = wireOf(client)
    if (statement.isScript) preparedOf(wire).scripted++
    collectWrites(wire.stream)
    client.query(query as unknown as pg.Submittable)
  })
