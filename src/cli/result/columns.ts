import type { ColumnMetadata } from '../../soql/compile/column-metadata.ts'
import type { Terminal } from '../command/terminal.ts'
import { isResult, type ResultRecord } from '../reach/record-pages.ts'

/** A column of a table or a CSV file. */
export interface Column {
  /** `Name`, `Account.Name`. */
  readonly title: string
  /** The members that lead to its value in a record. */
  readonly path: readonly string[]
  readonly kind: 'value' | 'number' | 'children'
}

function getKind({ aggregate, joinColumns, numberType }: ColumnMetadata): Column['kind'] {
  if (aggregate && joinColumns.length > 0) return 'children'
  return numberType ? 'number' : 'value'
}

/**
 * The columns of a result in the order of the SELECT list, known before there is any row: a parent's fields stand
 * beside each other, each under its whole path.
 */
export function makeColumns(metadata: readonly ColumnMetadata[], above: readonly string[] = []): Column[] {
  return metadata.flatMap((entry) => {
    const path = [...above, entry.columnName]
    if (entry.foreignKeyName !== null) return makeColumns(entry.joinColumns, path)
    return [{ title: path.join('.'), path, kind: getKind(entry) }]
  })
}

/** Returns a record's value in a column; undefined below a missing parent. */
export function valueIn(record: Readonly<Record<string, unknown>>, { path }: Column): unknown {
  let value: unknown = record
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}

/** Without what is for programs: where a record is, and how many child records there are. */
function plain(name: string, value: unknown): unknown {
  if (name === 'attributes') return undefined
  return isResult(value) ? value.records : value
}

/** The same for the eye: what is not there is not shown. */
const sparse = (name: string, value: unknown) => (value === null ? undefined : plain(name, value))

/** A value as one text; null is empty. What is made of several (an address, child records) is JSON. */
export function cellText(value: unknown, { nulls } = { nulls: true }): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, nulls ? plain : sparse) : String(value)
}

/**
 * Pages of records to text, piece by piece.
 * @param terminal where they are shown; undefined: they go elsewhere
 */
export type Format = (
  columns: readonly Column[],
  pages: AsyncIterable<readonly ResultRecord[]>,
  terminal?: Terminal,
) => AsyncIterable<string>
