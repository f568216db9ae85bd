import { stringify } from 'csv-stringify/sync'
import { cellText } from './cell-text.ts'
import { valueIn } from './columns.ts'
import type { Format } from './format.ts'

/** As RFC 4180 says, the header always: values as they are, child records and addresses as JSON. */
export const printCsv: Format = async function* (columns, pages) {
  const lines = (rows: readonly (readonly string[])[]) =>
    stringify(rows as string[][], {
      record_delimiter: 'windows',
      // The library looks for CR LF only; a lone one of the two ends a line for many readers.
      quoted_match: /[\r\n]/,
      // A line with nothing on it is no record to many readers.
      quoted_empty: columns.length === 1,
    })
  yield lines([columns.map(({ title }) => title)])
  for await (const records of pages) {
    yield lines(records.map((record) => columns.map((column) => cellText(valueIn(record, column)))))
  }
}
