import { cellText } from './cell-text.ts'
import { valueIn } from './columns.ts'
import { csvLines } from './csv-lines.ts'
import type { Format } from './format.ts'

/** The header always, and values as they are: child records and addresses as JSON. */
export const printCsv: Format = async function* (columns, pages) {
  yield csvLines([columns.map(({ title }) => title)])
  for await (const records of pages) {
    yield csvLines(records.map((record) => columns.map((column) => cellText(valueIn(record, column)))))
  }
}
