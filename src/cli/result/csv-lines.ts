import { stringify } from 'csv-stringify/sync'

/** Rows as lines of CSV, as RFC 4180 says. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify(rows as string[][], {
    record_delimiter: 'windows',
    // The library looks for CR LF only; a lone one of the two ends a line for many readers.
    quoted_match: /[\r\n]/,
    // A line with nothing on it is no record to many readers.
    quoted_empty: rows[0]?.length === 1,
  })
}
