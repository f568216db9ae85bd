import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { PIECE_BYTES } from '../../storage/pass-bytes.ts'
import { pieceSql } from '../jobs/job.sql.ts'
import { DELIMITERS, type Job } from '../jobs/job.ts'
import { type CsvRow, parseRows } from './csv-rows.ts'

/** A longer row ends the job: most often a quote is missing. */
const MAX_ROW_CHARACTERS = 4 * 1024 * 1024

const isTooLong = ({ cells }: CsvRow) =>
  cells.reduce((sum, { length }) => sum + length, 0) > MAX_ROW_CHARACTERS

/** How much of an upload is read at a time. Much larger texts and buffers would stay in memory for long. */
const READ_BYTES = 256 * 1024

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** Rows of an upload. */
export interface UploadRows {
  readonly rows: readonly CsvRow[]
  /** Position behind them, in bytes, and their length. */
  readonly position: number
  readonly characters: number
  /** How the last of them ends; undefined: it is the end of the upload. */
  readonly lineEnding: 'LF' | 'CRLF' | undefined
  /** Nothing follows. */
  readonly isLast: boolean
}

/** The upload cannot be read further. */
export class UploadError extends Error {}

/** How many bytes at the start of some are whole characters. */
export function countWhole(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Reads rows of an upload from a position on, some at a time. */
export class UploadReader {
  readonly #db: Db
  readonly #org: Org
  readonly #job: Job
  readonly #delimiter: string
  #position: number
  #text = ''
  #at = 0
  /** Bytes of a character that ends in what is read next. */
  #rest: Buffer = Buffer.alloc(0)
  /** Where the next bytes are read. */
  #next: number

  /** @param position where a row begins, in bytes */
  constructor(db: Db, org: Org, job: Job, position: number) {
    this.#db = db
    this.#org = org
    this.#job = job
    this.#delimiter = DELIMITERS[job.columnDelimiter]!
    this.#position = position
    this.#next = position
  }

  /**
   * The next rows, without moving on: at most `max`, fewer where what was read ends.
   * @throws UploadError
   */
  async peek(max: number): Promise<UploadRows> {
    for (;;) {
      const isEnd = this.#next >= this.#job.uploadBytes
      const options = { delimiter: this.#delimiter, max, isEnd }
      const { rows, end } = parseRows(this.#text, this.#at, options)
      const isLong = end - this.#at > MAX_ROW_CHARACTERS && rows.some(isTooLong)
      if (!isLong && (rows.length > 0 || isEnd || end > this.#at)) {
        const position = this.#position + Buffer.byteLength(this.#text.slice(this.#at, end))
        const isLast = isEnd && end >= this.#text.length
        return { rows, position, characters: end - this.#at, lineEnding: this.#findLineEnding(end), isLast }
      }
      if (isLong || this.#text.length - this.#at > MAX_ROW_CHARACTERS) {
        throw new UploadError('a row is too long; probably a quote is never closed')
      }
      // Each try reads the row from its start: there are few of them, however long it is.
      const wanted = 2 * (this.#text.length - this.#at)
      do await this.#load()
      while (this.#text.length - this.#at < wanted && this.#next < this.#job.uploadBytes)
    }
  }

  /** @param end behind a row */
  #findLineEnding(end: number): UploadRows['lineEnding'] {
    if (!this.#text.startsWith('\n', end - 1)) return undefined
    return this.#text.startsWith('\r', end - 2) ? 'CRLF' : 'LF'
  }

  /** Moves on behind rows that were read. */
  advance({ position, characters }: UploadRows): void {
    this.#at += characters
    this.#position = position
  }

  async #load(): Promise<void> {
    const next = this.#next
    const place = {
      number: Math.floor(next / PIECE_BYTES),
      start: next % PIECE_BYTES,
      length: READ_BYTES,
    }
    const [row] = await this.#db.rows(pieceSql.readUpload(this.#org, this.#job.uploadId!, place))
    if (row === undefined) throw new UploadError('the upload is gone')
    const read = row[0] as Uint8Array
    this.#next += read.length
    const isMarked = next === 0 && BYTE_ORDER_MARK.every((byte, index) => read[index] === byte)
    if (isMarked) this.#position = BYTE_ORDER_MARK.length
    const bytes = Buffer.concat([this.#rest, isMarked ? read.subarray(BYTE_ORDER_MARK.length) : read])
    const whole = countWhole(bytes)
    this.#rest = Buffer.from(bytes.subarray(whole))
    this.#text = this.#text.slice(this.#at) + bytes.toString('utf8', 0, whole)
    this.#at = 0
  }
}
