import { type Sql, sql } from '../../base/sql.ts'

const EMPTY = sql.raw('null')

/** A select list under construction, without duplicates. */
export class Columns {
  readonly #columns: Sql[] = []
  readonly #weights: number[] = []
  #bytes = 0
  readonly indexes = new Map<string, number>()

  get columns(): readonly Sql[] {
    return this.#columns
  }

  /** Maximum size of a row in an answer, in bytes, and how many times each column stands there. */
  get width(): { readonly bytes: number; readonly weights: readonly number[] } {
    return { bytes: this.#bytes, weights: this.#weights }
  }

  /**
   * The index of a column, which is added on first use. Columns have no parameters, so equal texts are equal columns.
   * @param bytes maximum size of its value in the answer
   */
  getIndex(column: Sql, bytes: number): number {
    this.#bytes += bytes
    const known = this.indexes.get(column.text)
    if (known !== undefined) {
      this.#weights[known]!++
      return known
    }
    this.indexes.set(column.text, this.#columns.length)
    this.#weights.push(1)
    return this.#columns.push(column) - 1
  }

  /**
   * The index of a placeholder, to be filled when the statement is made.
   * @param weight how many times a value in it stands in the answer
   */
  reserve(weight: number): number {
    this.#weights.push(weight)
    return this.#columns.push(EMPTY) - 1
  }
}
