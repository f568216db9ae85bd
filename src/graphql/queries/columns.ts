import { type Sql, sql } from '../../base/sql.ts'

const EMPTY = sql.raw('null')

/** A select list while it grows: what is asked for twice stands in it once. */
export class Columns {
  readonly #columns: Sql[] = []
  readonly #locations = new Map<string, number>()

  get columns(): readonly Sql[] {
    return this.#columns
  }

  /** The place of a column. Its text has no values in it. */
  location(column: Sql): number {
    const known = this.#locations.get(column.text)
    if (known !== undefined) return known
    this.#locations.set(column.text, this.#columns.length)
    return this.#columns.push(column) - 1
  }

  /** A place that is filled when the statement is made. */
  reserve(): number {
    return this.#columns.push(EMPTY) - 1
  }
}
