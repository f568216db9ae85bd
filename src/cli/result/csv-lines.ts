import { stringify } from 'csv-stringify/sync'

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
