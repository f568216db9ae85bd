import { sql } from '../../base/sql.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import { FORMULA, STORED } from './type-in-files.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
/** The part of a datetime behind the day. */
const TIME_OF_DAY = /[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/

/** Years that records and queries may hold. (docs/reference/api/queries.md#dates) */
const FIRST_YEAR = 1700
const LAST_YEAR = 4000

/** True if the text is a day that exists, in the years that the platform keeps. */
export function isDay(text: string): boolean {
  const match = DATE.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export const date: FieldType = {
  name: 'date',
  label: 'Date',
  graphql: 'Date',
  describedAs: 'date',
  soapType: 'xsd:date',
  typescript: 'string',
  file: { properties: [...FORMULA, 'rollUp', ...STORED], default: 'text' },
  sourceFormat: { name: 'Date', reads: ['length', 'required'] },
  inColumns: { has: isDay, makeField: () => ({ because: 'days' }) },
  importedFrom: { date: undefined },
  history: { dataType: 'DateOnly' },
  column: () => 'date',
  parameter: 'date',
  csvText: (column) => sql`${column}::text`,
  displayedAs: 'date',
  // Older files have a zone behind the day.
  readText: (text) => text.trim().replace(/(?<=^\d{4}-\d{2}-\d{2})(?:[Zz]|[+-]\d{2}:?\d{2})$/, ''),
  isTakenByLeniency: (value) => typeof value === 'string' && TIME_OF_DAY.test(value.trim()),
  coerce(value) {
    if (typeof value !== 'string') throw new WrongKind('date')
    const text = value.trim()
    if (text === '') return null
    // Of a datetime only the day counts.
    const day = text.replace(TIME_OF_DAY, '')
    if (!isDay(day)) throw new WrongKind('date')
    return day
  },
  inEvents: true,
  literal: 'date',
  rollUp: { result: 'date' },
  formula: { type: 'Date', isResult: true },
  operators: ['equality', 'order'],
  sortable: true,
  groupable: true,
  aggregatable: true,
}
