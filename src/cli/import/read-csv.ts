import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { textOfNeutralCell } from '../../base/spreadsheet-cell.ts'
import type { ColumnTargets } from './column-targets.ts'
import type { SourceFile } from './source-file.ts'
import type { SourceRow } from './source-row.ts'

export interface CsvOptions {
  readonly delimiter: string
  /** What a cell holds that stands for null, when something does. */
  readonly nullText: string | undefined
  /** An empty cell stands for null too; else it leaves the field alone. */
  readonly emptyAsNull: boolean
  /** An apostrophe stands before what would be a formula. */
  readonly neutralised: boolean
}

/** A quote that is never closed would take the rest of the file for one cell. */
const LARGEST_RECORD = 32 * 1024 * 1024

function formatFault(cells: number, columns: number): string {
  return `The row has ${cells} cells, the header ${columns}. A cell with the delimiter in it must stand in quotes.`
}

/** @throws Error with the line where the text is no CSV */
function readable(error: unknown, { name }: SourceFile): unknown {
  if (!(error instanceof CsvError)) return error
  const { message, lines } = error as CsvError & { lines?: number }
  return new Error(`${name} is no CSV, line ${lines}: ${message}`, { cause: error })
}

/** The rows of a CSV file whose first line names the columns. */
export async function* readCsv(
  source: SourceFile,
  columns: ColumnTargets,
  { delimiter, nullText, emptyAsNull, neutralised }: CsvOptions,
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
  let targets: readonly ReturnType<ColumnTargets['of']>[] | undefined
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (targets === undefined) {
        columns.check(cells)
        targets = cells.map((name) => columns.of(name))
        continue
      }
      row++
      const record: Record<string, unknown> = {}
      if (cells.length !== targets.length) {
        yield { row, record, fault: formatFault(cells.length, targets.length) }
        continue
      }
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at]!
        const isNull = cell === nullText || (cell === '' && emptyAsNull)
        if (cell === '' && !isNull) continue
        targets[at]?.put(record, isNull ? null : neutralised ? textOfNeutralCell(cell) : cell)
      }
      yield { row, record }
    }
  } catch (error) {
    throw readable(error, source)
  }
  if (targets === undefined)
    throw new Error(`${source.name} is empty: a CSV file begins with the names of its columns.`)
}
