import { didYouMean } from '../../base/nearest.ts'
import type { Db } from '../../storage/database/db.ts'
import { type ColumnRow, type ConstraintRow, catalogSql, type TableRow } from './catalog.sql.ts'

/** A column with measured sizes, where its type has no limit. */
export interface Column extends ColumnRow {
  /** Length of the longest value, for a text type without a limit. */
  readonly longest?: number
  /** Maximum digits before and after the point, for a number type without a limit. */
  readonly digits?: { readonly before: number; readonly after: number }
}

export interface Table {
  /** `schema.table` */
  readonly location: string
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly Column[]
  readonly constraints: readonly ConstraintRow[]
}

const isOpenText = ({ type, typeName, length }: ColumnRow) =>
  ((type === 'text' || type.startsWith('character')) && length === null) || typeName === 'citext'

const isOpenNumber = ({ type, precision }: ColumnRow) =>
  type === 'real' || type === 'double precision' || (type === 'numeric' && precision === null)

async function measure(db: Db, table: TableRow, columns: readonly ColumnRow[]): Promise<Column[]> {
  const texts = columns.filter(isOpenText)
  const numbers = columns.filter(isOpenNumber)
  const namesOf = (rows: readonly ColumnRow[]) => rows.map(({ name }) => name)
  const [longest = []] = texts.length > 0 ? await db.rows(catalogSql.longestTexts(table, namesOf(texts))) : []
  const [digits = []] = numbers.length > 0 ? await db.rows(catalogSql.maxDigits(table, namesOf(numbers))) : []
  return columns.map((column) => {
    const [text, number] = [texts.indexOf(column), numbers.indexOf(column)]
    if (text >= 0) return { ...column, longest: longest[text] as number }
    if (number < 0) return column
    const [before, after] = [digits[number * 2] as number, digits[number * 2 + 1] as number]
    return { ...column, digits: { before, after } }
  })
}

/**
 * Reads a table or view from the catalogs. Measures texts and numbers without a limit.
 * @throws Error with the closest table name when the table does not exist
 */
export async function readTable(db: Db, name: string): Promise<Table> {
  const [table] = await db.query<TableRow>(catalogSql.table(name))
  if (table === undefined) {
    const known = await db.query<{ name: string }>(catalogSql.tableNames())
    const names = known.map((row) => row.name)
    throw new Error(`there is no table ${name}${didYouMean(name, names)}`)
  }
  const columns = await db.query<ColumnRow>(catalogSql.columns(table))
  return {
    location: `${table.schema}.${table.name}`,
    name: table.name,
    comment: table.comment,
    columns: await measure(db, table, columns),
    constraints: await db.query<ConstraintRow>(catalogSql.constraints(table)),
  }
}
