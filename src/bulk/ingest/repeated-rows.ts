import { findRepeated } from '../../records/write/split-runs.ts'
import type { CsvRow } from '../csv/csv-rows.ts'
import { UploadError, type UploadReader } from '../csv/upload-reader.ts'
import { identifyRow, type RowsTarget } from './write-rows.ts'

/** Rows 1 to 200 of a job, 201 to 400 and so on, however many of them are written at a time. */
export const GROUP_ROWS = 200

/** Finds rows that are in their group more than once. It reads ahead of the run, and keeps one group. */
export class RepeatedRows {
  readonly #reader: UploadReader
  /** The number of the row that is read next. */
  #next: number
  #group = -1
  #repeated: ReadonlySet<number> = new Set()

  /** @param next the number of the row at which the reader stands, from 0 */
  constructor(reader: UploadReader, next: number) {
    this.#reader = reader
    this.#next = next
  }

  /**
   * @param first the number of the first one of some rows
   * @returns the positions of the repeated ones among them
   */
  async find(target: RowsTarget, first: number, count: number): Promise<ReadonlySet<number>> {
    const found = new Set<number>()
    for (let row = first; row < first + count; row++) {
      const group = Math.floor(row / GROUP_ROWS)
      if (group !== this.#group) {
        this.#repeated = await this.#readGroup(target, group)
        this.#group = group
      }
      if (this.#repeated.has(row)) found.add(row - first)
    }
    return found
  }

  async #readGroup(target: RowsTarget, group: number): Promise<ReadonlySet<number>> {
    const first = group * GROUP_ROWS
    await this.#read(first, () => {})
    const entries: { object: RowsTarget['object']; id: string | undefined; row: number }[] = []
    await this.#read(first + GROUP_ROWS, (row) => {
      entries.push({ object: target.object, id: identifyRow(target, row), row: first + entries.length })
    })
    return new Set([...findRepeated(entries)].map(({ row }) => row))
  }

  /** Reads rows up to the one with a number. The run itself meets what cannot be read. */
  async #read(end: number, take: (row: CsvRow) => void): Promise<void> {
    try {
      while (this.#next < end) {
        const found = await this.#reader.peek(end - this.#next)
        for (const row of found.rows) take(row)
        this.#next += found.rows.length
        this.#reader.advance(found)
        if (found.isLast) return
      }
    } catch (error) {
      if (!(error instanceof UploadError)) throw error
    }
  }
}
