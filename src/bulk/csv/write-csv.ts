/** Writes rows with the delimiter and the line ending of a job. */
export class CsvWriter {
  readonly delimiter: string
  readonly lineEnding: string

  constructor(delimiter: string, lineEnding: string) {
    this.delimiter = delimiter
    this.lineEnding = lineEnding
  }

  /** Every value is in quotes, which each client reads whatever its delimiter. */
  row(values: readonly string[]): string {
    const hasQuotes = values.some((value) => value.includes('"'))
    const escaped = hasQuotes ? values.map((value) => value.replaceAll('"', '""')) : values
    return `"${escaped.join(`"${this.delimiter}"`)}"${this.lineEnding}`
  }
}
