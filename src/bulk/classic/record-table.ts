import { ApiError } from '../../base/api-error.ts'
import { CsvWriter } from '../csv/csv-rows.ts'

/** More fields than a batch may name. */
const MAX_COLUMNS = 5000

/** Of records as rows, in bytes: many fields of which each record has few take far more than they came in. */
const MAX_ROW_BYTES = 40 * 1024 * 1024

/** Of a batch. */
export const MAX_RECORDS = 10_000

/** The text of a row that stands for null. */
export const NULL = '#N/A'

export const invalidBatch = (message: string): ApiError => new ApiError('INVALIDBATCH', message)

export const tooManyRecords = () =>
  invalidBatch(`A batch has more than ${MAX_RECORDS} records. Send them as several batches.`)

/** One field of a record: the name of its column, and its text there. */
export type Cell = readonly [column: string, text: string]

/** Records with fields of any names, which become rows with a column for each of the names. */
export class RecordTable {
  readonly #columns = new Map<string, number>()
  readonly #names: string[] = []
  readonly #rows: (readonly (readonly [column: number, text: string])[])[] = []

  /** @throws ApiError INVALIDBATCH */
  add(cells: Iterable<Cell>): void {
    if (this.#rows.length === MAX_RECORDS) throw tooManyRecords()
    const row = new Map<number, string>()
    for (const [name, text] of cells) {
      const column = this.#findColumn(name)
      if (row.has(column)) throw invalidBatch(`Duplicate field name : ${name.slice(0, 255)}`)
      row.set(column, text)
    }
    this.#rows.push([...row])
  }

  #findColumn(name: string): number {
    const known = name.toLowerCase()
    const found = this.#columns.get(known)
    if (found !== undefined) return found
    const column = this.#names.length
    if (column === MAX_COLUMNS)
      throw invalidBatch(`The records have more than ${MAX_COLUMNS} different fields`)
    this.#columns.set(known, column)
    this.#names.push(name)
    return column
  }

  /**
   * Writes the rows, some at a time: yields nothing where others may have a turn.
   * @throws ApiError INVALIDBATCH
   */
  *write(): Generator<void, Buffer[]> {
    const writer = new CsvWriter(',', '\n')
    if (this.#rows.length > 0 && this.#names.length === 0) throw invalidBatch('The records have no fields')
    const pieces = [Buffer.from(writer.row(this.#names))]
    let length = 0
    for (const row of this.#rows) {
      const cells: string[] = Array.from({ length: this.#names.length }, () => '')
      for (const [column, text] of row) cells[column] = text
      const piece = Buffer.from(writer.row(cells))
      pieces.push(piece)
      length += piece.length
      if (length > MAX_ROW_BYTES) {
        throw invalidBatch(
          'Each record has few of the many fields of the batch. Send records with other fields as another batch.',
        )
      }
      yield
    }
    return pieces
  }
}
