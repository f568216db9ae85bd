import { secondsText } from '../../base/clock.ts'
import { sql } from '../../base/sql.ts'
import { isDay } from './date.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import { FORMULA, STORED } from './type-in-files.ts'

const DATETIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?$/

/** A timestamp in PostgreSQL's input format, truncated to whole seconds; undefined when the text is not a datetime. */
export function parseTimestamp(text: string): string | undefined {
  const match = DATETIME.exec(text)
  if (match === null) return undefined
  const [, day, hours, minutes, seconds = '00', zone = 'Z'] = match as unknown as string[]
  if (!isDay(day!) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const timestamp = new Date(`${day}T${hours}:${minutes}:${seconds}${offset}`)
  return Number.isNaN(timestamp.getTime()) ? undefined : secondsText(timestamp)
}

/** `2026-01-02 03:04:05+00` as PostgreSQL writes it, in the interface's spelling. (docs/reference/api/records.md#field-values) */
export function readTimestamp(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.000+0000`
}

export const datetime: FieldType = {
  name: 'datetime',
  label: 'Date/Time',
  graphql: 'DateTime',
  describedAs: 'datetime',
  soapType: 'xsd:dateTime',
  typescript: 'string',
  file: { properties: [...FORMULA, 'rollUp', ...STORED], default: 'text' },
  sourceFormat: { name: 'DateTime', reads: ['length', 'required'] },
  inColumns: {
    has: (value) => parseTimestamp(value) !== undefined,
    makeField: () => ({ because: 'moments' }),
  },
  importedFrom: {
    'timestamp with time zone': undefined,
    'timestamp without time zone': 'a time without a zone: it is in UTC here',
  },
  history: {
    dataType: 'DateTime',
    jsonText: (value) =>
      sql`to_json(to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000+0000"'))::text`,
  },
  column: () => 'timestamptz(0)',
  parameter: 'timestamptz',
  displayedAs: 'dateTime',
  coerce(value) {
    if (typeof value !== 'string') throw new WrongKind('datetime')
    const text = value.trim()
    if (text === '') return null
    const timestamp = parseTimestamp(text)
    if (timestamp === undefined) throw new WrongKind('datetime')
    return timestamp
  },
  read: (value) => readTimestamp(value as string),
  // Files of rows have Z for +0000.
  csvText: (column) => sql`left(${column}::text, 10) || 'T' || substr(${column}::text, 12, 8) || '.000Z'`,
  inEvents: true,
  literal: 'dateTime',
  rollUp: { result: 'datetime' },
  formula: { type: 'DateTime', isResult: true },
  operators: ['equality', 'order'],
  sortable: true,
  groupable: false,
  aggregatable: true,
}
