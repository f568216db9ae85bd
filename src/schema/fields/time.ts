import { sql } from '../../base/sql.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import { FORMULA, STORED } from './type-in-files.ts'

const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|[+-]00:?00)?$/

/** A time of day, always UTC, to the millisecond: `10:15:00.000`; undefined when the text is none. */
export function parseTime(text: string): string | undefined {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, hours, minutes, seconds, fraction = ''] = match
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`
}

export const time: FieldType = {
  name: 'time',
  label: 'Time',
  graphql: 'Time',
  describedAs: 'time',
  soapType: 'xsd:time',
  typescript: 'string',
  file: { properties: [...FORMULA, 'rollUp', ...STORED], default: 'text' },
  sourceFormat: { name: 'Time', reads: ['length', 'required'] },
  inColumns: {
    has: (value) => parseTime(value) !== undefined,
    makeField: () => ({ because: 'times of day' }),
  },
  importedFrom: {
    'time without time zone': undefined,
    'time with time zone': 'a time with a zone: it is in UTC here',
  },
  history: {
    dataType: 'TimeOnly',
    jsonText: (value) => sql`to_json(to_char(${value}, 'HH24:MI:SS".000Z"'))::text`,
  },
  column: () => 'time(3)',
  parameter: 'time',
  displayedAs: 'time',
  coerce(value) {
    if (typeof value !== 'string') throw new WrongKind('time')
    const text = value.trim()
    if (text === '') return null
    const parsed = parseTime(text)
    if (parsed === undefined) throw new WrongKind('time')
    return parsed
  },
  read: (value) => `${(value as string).slice(0, 8)}.${(value as string).slice(9).padEnd(3, '0')}Z`,
  csvText: (column) =>
    sql`left(${column}::text, 8) || '.' || rpad(substr(${column}::text, 10), 3, '0') || 'Z'`,
  literal: 'time',
  rollUp: { result: 'time' },
  formula: { type: 'Time', isResult: true },
  operators: ['equality', 'order'],
  sortable: true,
  groupable: false,
  aggregatable: true,
}
