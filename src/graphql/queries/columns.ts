import { type Sql, sql } from '../../base/sql.ts'

const EMPTY = sql.raw('null')

/** A select list under construction, without duplicates. */
export class Columns {
  readonly #columns: Sql[] = []
  readonly indexes = new Map<string, number>()

  get columns(): readonly Sql[] {
    return this.#columns
  }

  /** The index of a column, which is added on first use. Columns have no parameters, so equal texts are equal columns. */
  getIndex(column: Sql): number {
    const known = this.indexes.get(column.text)
    if (known !== undefined) return known
    this.indexes.set(column.text, this.#columns.length)
    return this.#columns.push(column) - 1
  }

  /** The index of a placeholder, to be filled when the statement is made. */
  reserve(): number {
    return this.#columns.push(EMPTY) - 1
  }
}
