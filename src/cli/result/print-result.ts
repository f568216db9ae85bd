import type { ColumnMetadata } from '../../soql/compile/column-metadata.ts'
import type { QueryResult } from '../../soql/run-query.ts'
import type { Terminal } from '../command/terminal.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { completePages, readBody, recordPages } from '../reach/record-pages.ts'
import { type Format, makeColumns } from './columns.ts'
import { printCsv, printSafeCsv } from './print-csv.ts'
import { printTable } from './print-table.ts'
import { showProgress } from './progress.ts'
import { terminalWidth } from './table-style.ts'
import { writeOut, writeText } from './write-out.ts'

/** One array of the records as the interface gives them, a line each. */
const printJson: Format = async function* (_columns, pages) {
  let between = '[\n'
  for await (const records of pages) {
    if (records.length === 0) continue
    yield between + records.map((record) => JSON.stringify(record)).join(',\n')
    between = ',\n'
  }
  yield between === '[\n' ? '[]\n' : '\n]\n'
}

/** How a result may be printed. */
export const FORMATS = { table: printTable, csv: printCsv, json: printJson } as const satisfies Record<
  string,
  Format
>

interface Printing {
  readonly resource: '/query' | '/queryAll'
  readonly format: keyof typeof FORMATS
  /** The file to write to; else standard output. */
  readonly output: string | undefined
  /** CSV of which no cell is a formula for spreadsheets. */
  readonly safeForSpreadsheets?: boolean | undefined
}

/** Prints the result of a query page by page: no more is held than one of them. */
export async function printResult(
  terminal: Terminal,
  org: ReachedOrg,
  soql: string,
  { resource, format, output, safeForSpreadsheets }: Printing,
  signal: AbortSignal,
): Promise<void> {
  const path = `${resource}?${new URLSearchParams({ q: soql })}`
  const { columnMetadata } = await readBody<{ columnMetadata: ColumnMetadata[] }>(
    org.call('GET', `${path}&columns=true`),
  )
  const first = await readBody<QueryResult>(org.call('GET', path))
  // Only COUNT() has no columns; its answer is a number, in any format.
  if (columnMetadata.length === 0) return writeText(terminal, `${first.totalSize}\n`, output)
  const columns = makeColumns(columnMetadata)
  const pages = recordPages(org, first, signal)
  const wantsChildren = format !== 'table' && columns.some(({ kind }) => kind === 'children')
  const whole = wantsChildren ? completePages(org, pages) : pages
  const toTerminal = output === undefined && terminal.stdout.isTTY === true
  const print = safeForSpreadsheets ? printSafeCsv : FORMATS[format]
  const isShown = output === undefined && terminalWidth(terminal.stdout) !== undefined
  const shown = showProgress(terminal, whole, first.totalSize, toTerminal)
  await writeOut(terminal, print(columns, shown, isShown ? terminal : undefined), output)
}
