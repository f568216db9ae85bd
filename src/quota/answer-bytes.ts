import { getHeapStatistics } from 'node:v8'
import { ApiError } from '../base/api-error.ts'
import type { Sql } from '../base/sql.ts'
import type { Db, Row } from '../storage/database/db.ts'
import type { RunningCall } from './running-calls.ts'
import { type Reservation, SharedBytes } from './shared-bytes.ts'
import { withinBytes } from './within-bytes.sql.ts'

/** Maximum share of the heap for one answer: its records are objects and texts there before they are sent. */
const HEAP_SHARE = 1 / 32

/** Rows that cannot take more than this part of an answer are read as they are, without being measured in the database. */
const UNMEASURED_SHARE = 1 / 4

/** Rows that cannot take more are not counted either: there are many such calls, and they hold them for a moment. */
const SMALL_BYTES = 1024 ** 2

/** The size of the rows of a statement in an answer. */
export interface RowsWidth {
  /** Maximum size of one row, in bytes. */
  readonly bytes: number
  /** How many times the value of each column stands in the answer. */
  readonly weights: readonly number[]
}

export interface ReadRows {
  readonly rows: readonly Row[]
  /** There were more, which would have made the answer too large. */
  readonly isCut: boolean
  /** Their size in the answer, in bytes. */
  readonly bytes: number
}

/** A statement whose rows are for an answer. */
interface RowsRequest {
  readonly db: Db
  /** The rows in their order. */
  readonly statement: Sql
  readonly width: RowsWidth
  /** How many rows there may be. */
  readonly max: number
  /** True if the call reads no others. */
  readonly isOnly?: boolean
  /** Sends the statement, or the one that measures its rows, in another way than `db.rows`. */
  readonly read?: (statement: Sql) => Promise<readonly Row[]>
}

/** The size of an answer, which is known before it is made. */
export interface AnswerBytes {
  /**
   * Reads rows, as many as the answer has place for.
   * @throws ApiError OPERATION_TOO_LARGE if not even the first row fits; SERVER_UNAVAILABLE if other calls take the memory of the server
   */
  rows(request: RowsRequest): Promise<ReadRows>
  /** The rows do not stand in the answer: others take their place. */
  putBack(read: ReadRows): void
  /** Of an answer that cannot be made in parts, or for a record that is too large by itself. */
  tooLarge(): ApiError
  /** For rows of several statements that stand in no answer, such as those that deployed code reads. */
  apart(): AnswerBytes
}

function countValue(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (!Array.isArray(value)) return 8
  let total = 0
  for (const one of value) total += countValue(one)
  return total
}

function countBytes(rows: readonly Row[], { weights }: RowsWidth): number {
  let total = 0
  for (const row of rows) {
    for (let index = 0; index < weights.length; index++) total += weights[index]! * countValue(row[index])
  }
  return total
}

const readRows = ({ db, read }: RowsRequest, statement: Sql): Promise<readonly Row[]> =>
  read === undefined ? db.rows(statement) : read(statement)

/** Rows of several statements that are read for one purpose. */
class CountedBytes implements AnswerBytes {
  readonly max: number
  #taken = 0
  #lastMeasured: Promise<unknown> = Promise.resolve()

  constructor(max: number) {
    this.max = max
  }

  get taken(): number {
    return this.#taken
  }

  async rows(request: RowsRequest): Promise<ReadRows> {
    const { statement, width, max } = request
    const most = width.bytes * max
    if (most > Math.min(this.max * UNMEASURED_SHARE, this.max - this.#taken)) return this.#measure(request)
    // Others of the call may be read meanwhile.
    const held = most <= SMALL_BYTES ? 0 : most
    this.#taken += held
    let bytes = 0
    try {
      const rows = await readRows(request, statement)
      if (held > 0) bytes = Math.min(countBytes(rows, width), held)
      return { rows, isCut: false, bytes }
    } finally {
      this.#taken += bytes - held
    }
  }

  /** One after the other: each may take what those before have left. */
  #measure(request: RowsRequest): Promise<ReadRows> {
    const reading = this.#lastMeasured.then(() => this.#readMeasured(request))
    this.#lastMeasured = reading.catch(() => {})
    return reading
  }

  async #readMeasured(request: RowsRequest): Promise<ReadRows> {
    const { statement, width } = request
    const left = this.max - this.#taken
    const rows = await readRows(request, withinBytes(statement, width.weights, left))
    const last = rows.at(-1)
    if (last === undefined) return { rows, isCut: false, bytes: 0 }
    const [bytes, available] = last.slice(-2).map(Number) as [number, number]
    if (bytes > left) throw this.tooLarge()
    this.#taken += bytes
    return { rows, isCut: rows.length < available, bytes }
  }

  putBack({ bytes }: ReadRows): void {
    this.#taken -= bytes
  }

  tooLarge(): ApiError {
    return new ApiError(
      'OPERATION_TOO_LARGE',
      `The records take more than the ${Math.floor(this.max / 1024)} kB that one answer may have. Ask for fewer records or fields.`,
    )
  }

  apart(): AnswerBytes {
    return new CountedBytes(this.max)
  }
}

/** Each statement by itself is bounded: for work that goes on for long. */
class EachBytes extends CountedBytes {
  override rows(request: RowsRequest): Promise<ReadRows> {
    return this.apart().rows(request)
  }

  override putBack(): void {}
}

/** The size of the answer of one call, and its part of the memory of the server. */
class CallBytes extends CountedBytes {
  readonly #shared: SharedBytes
  readonly #running: RunningCall
  #reserved: Promise<Reservation> | undefined

  constructor(max: number, shared: SharedBytes, running: RunningCall) {
    super(max)
    this.#shared = shared
    this.#running = running
  }

  override async rows(request: RowsRequest): Promise<ReadRows> {
    const most = request.width.bytes * request.max
    // In a transaction it would keep from the database those that have the memory and wait to read.
    const mayWait = !request.db.isTransaction
    if (most > SMALL_BYTES && mayWait) await this.#reserve(request.isOnly === true ? most : this.max)
    return super.rows(request)
  }

  /** Once, all that the call may need, so that no two calls wait for what the other one holds. */
  #reserve(bytes: number): Promise<Reservation> {
    this.#reserved ??= this.#wait(Math.min(bytes, this.max))
    return this.#reserved
  }

  async #wait(bytes: number): Promise<Reservation> {
    const running = this.#running
    running.isWaiting = true
    const reserving = this.#shared.reserve(running.orgId, bytes, false, (giveUp) =>
      running.whenOver(() => giveUp(running.over!)),
    )
    const reservation = await reserving.finally(() => {
      running.isWaiting = false
    })
    running.whenAnswered(
      (recipient) => {
        reservation.shrink(this.taken)
        reservation.recipient = recipient
      },
      () => reservation.release(),
    )
    return reservation
  }
}

/** For records that are written: what the call sends bounds them, and they stand in no answer. */
export const UNBOUNDED: AnswerBytes = {
  rows: async (request) => ({
    rows: await readRows(request, request.statement),
    isCut: false,
    bytes: 0,
  }),
  putBack() {},
  tooLarge() {
    throw new Error('nothing is too large')
  },
  apart: () => UNBOUNDED,
}

/** The sizes of the answers of a process. */
export class Answers {
  readonly #max: number
  readonly #shared: SharedBytes
  /** For work outside of calls. */
  readonly each: AnswerBytes

  /** @param limit of one answer, in bytes: OBJECTRY_ANSWER_LIMIT */
  constructor(limit: number) {
    this.#max = Math.min(limit, getHeapStatistics().heap_size_limit * HEAP_SHARE)
    this.#shared = new SharedBytes(this.#max)
    this.each = new EachBytes(this.#max)
  }

  /** Of a call: those of all calls share the memory of the process. */
  of(running: RunningCall): AnswerBytes {
    return new CallBytes(this.#max, this.#shared, running)
  }
}
