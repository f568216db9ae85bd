import { cellText } from './cell-text.ts'
import { valueIn } from './columns.ts'
import { csvLines } from './csv-lines.ts'
import type { Format } from './format.ts'
import { neutralCell } from './spreadsheet-cell.ts'

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
