import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { textOfNeutralCell } from '../result/spreadsheet-cell.ts'
import type { ColumnTargets } from './column-targets.ts'
import type { LocalForms } from './local-values.ts'
import type { SourceFile } from './source-file.ts'
import { type ErrorItem, namePlace, type SourceRow } from './source-row.ts'

export interface CsvOptions {
  readonly delimiter: string
  /** Text of a cell that stands for null, if one does. */
  readonly nullText: string | undefined
  /** An empty cell stands for null too; else it leaves the field alone. */
  readonly emptyAsNull: boolean
  /** An apostrophe stands before what would be a formula. */
  readonly neutralised: boolean
  readonly forms: LocalForms
}

/** A quote that is never closed would take the rest of the file for one cell. */
const LARGEST_RECORD = 32 * 1024 * 1024

const countFault = (cells: number, columns: number): ErrorItem => ({
  statusCode: 'INVALID_INPUT',
  message: `The row has ${cells} cells, the header ${columns}. A cell with the delimiter in it must stand in quotes.`,
  fields: [],
})

const valueFault = (place: string, cell: string, wanted: string, field: string): ErrorItem => ({
  statusCode: 'INVALID_TYPE_ON_FIELD_IN_RECORD',
  message: `${place}: not ${wanted}: ${cell.slice(0, 255)}`,
  fields: [field],
})

/** @throws Error with the line where the text is no CSV */
function readable(error: unknown, { name }: SourceFile): unknown {
  if (!(error instanceof CsvError)) return error
  const { message, lines } = error as CsvError & { lines?: number }
  return new Error(`${name} is no CSV, line ${lines}: ${message}`, { cause: error })
}

interface ColumnTarget {
  /** Undefined if the column is left out. */
  readonly target: ReturnType<ColumnTargets['of']>
  readonly form: ReturnType<LocalForms>
}

/** The rows of a CSV file whose first line names the columns. */
export async function* readCsv(
  source: SourceFile,
  columns: ColumnTargets,
  { delimiter, nullText, emptyAsNull, neutralised, forms }: CsvOptions,
): AsyncGenerator<SourceRow> {
  const parser = parse({
    delimiter,
    bom: true,
    // A row with too few or too many cells is that row's fault: it is refused and the others go on.
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LARGEST_RECORD,
  })
  pipeline(Readable.from(source.chunks()), parser, () => {})
  let header: readonly string[] = []
  let targets: readonly ColumnTarget[] | undefined
  let names: ReadonlyMap<string, string> = new Map()
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (targets === undefined) {
        columns.check(cells)
        header = cells
        targets = cells.map((name) => {
          const target = columns.of(name)
          return { target, form: target?.type === undefined ? undefined : forms(target.type) }
        })
        names = new Map(targets.flatMap(({ target }, at) => (target ? [[target.member, cells[at]!]] : [])))
        continue
      }
      row++
      const record: Record<string, unknown> = {}
      let fault: ErrorItem | undefined
      if (cells.length !== targets.length) {
        yield { row, record, fault: countFault(cells.length, targets.length) }
        continue
      }
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at]!
        const isNull = cell === nullText || (cell === '' && emptyAsNull)
        if (cell === '' && !isNull) continue
        const { target, form } = targets[at]!
        if (target === undefined) continue
        const text = neutralised ? textOfNeutralCell(cell) : cell
        const value = isNull ? null : form === undefined ? text : form.read(text.trim())
        if (value === undefined)
          fault ??= valueFault(namePlace(row, header[at]!), cell, form!.wanted, target.member)
        else target.put(record, value)
      }
      yield { row, record, columns: names, ...(fault !== undefined && { fault }) }
    }
  } catch (error) {
    throw readable(error, source)
  }
  if (targets === undefined)
    throw new Error(`${source.name} is empty: a CSV file begins with the names of its columns.`)
}
