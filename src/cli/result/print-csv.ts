import { stringify } from 'csv-stringify/sync'
import { cellText, type Format, valueIn } from './columns.ts'
import { neutralCell } from './spreadsheet-cell.ts'

/**
 * Rows as lines of CSV, as RFC 4180 says.
 * @param quoted whether all cells stand in quotes, so that no reader with another delimiter cuts them
 */
export function csvLines(rows: readonly (readonly string[])[], quoted = false): string {
  return stringify(rows as string[][], {
    record_delimiter: 'windows',
    quoted,
    // The library looks for CR LF only; a lone one of the two ends a line for many readers.
    quoted_match: /[\r\n]/,
    // A line with nothing on it is no record to many readers.
    quoted_empty: rows[0]?.length === 1,
  })
}

/** The header always, and values as they are: child records and addresses as JSON. */
export const printCsv: Format = async function* (columns, pages) {
  yield csvLines([columns.map(({ title }) => title)])
  for await (const records of pages) {
    yield csvLines(records.map((record) => columns.map((column) => cellText(valueIn(record, column)))))
  }
}

/** A number is none of the texts that spreadsheets take for formulas, even where it begins with a minus. */
const safeCell = (value: unknown) =>
  typeof value === 'number' ? cellText(value) : neutralCell(cellText(value))

/** The same for spreadsheets: no cell is a formula. */
export const printSafeCsv: Format = async function* (columns, pages) {
  yield csvLines([columns.map(({ title }) => title)], true)
  for await (const records of pages) {
    const rows = records.map((record) => columns.map((column) => safeCell(valueIn(record, column))))
    yield csvLines(rows, true)
  }
}
