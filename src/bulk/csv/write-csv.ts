/** A value in quotes, which every client reads whatever its delimiter. */
const quoteValue = (value: string): string =>
  value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`

/** Writes rows with the delimiter and the line ending of a job. */
export class CsvWriter {
  readonly delimiter: string
  readonly lineEnding: string

  constructor(delimiter: string, lineEnding: string) {
    this.delimiter = delimiter
    this.lineEnding = lineEnding
  }

  row(values: readonly string[]): string {
    let line = ''
    for (let i = 0; i < values.length; i++) {
      if (i > 0) line += this.delimiter
      line += quoteValue(values[i]!)
    }
    return line + this.lineEnding
  }
}
