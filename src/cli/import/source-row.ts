export interface ErrorItem {
  readonly statusCode: string
  readonly message: string
  readonly fields: readonly string[]
}

/** A row of the file that is imported. */
export interface SourceRow {
  /** The first one is 1; a header does not count. */
  readonly row: number
  readonly record: Readonly<Record<string, unknown>>
  /** Why it is not sent at all. */
  readonly fault?: ErrorItem
  /** The names of the columns that the members of the record come from. */
  readonly columns?: ReadonlyMap<string, string>
  /** The object that it says it is of, where the file tells. */
  readonly object?: string
  /** It only points a record to others that is written already: by this import, or by an earlier one. */
  readonly link?: 'now' | 'earlier'
}

/** Where a value stands in the file. */
export const namePlace = (row: number, column: string): string => `Row ${row}, column ${column}`
