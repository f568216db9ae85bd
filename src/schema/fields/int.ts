import { sql } from '../../base/sql.ts'
import type { FieldType } from './field-type.ts'
import { WrongKind } from './field-type.ts'
import { coerceNumber, outOfRange } from './number.ts'
import { KEY, STORED } from './type-in-files.ts'

/** The most that eight digits hold, which is what a describe promises. */
const MAX = 99_999_999
const DIGITS = 8

export const int: FieldType = {
  name: 'int',
  label: `Number(${DIGITS}, 0)`,
  graphql: 'Int',
  describedAs: 'int',
  soapType: 'xsd:int',
  typescript: 'number',
  file: { properties: [...STORED, ...KEY], default: 'int' },
  sourceFormat: {
    name: 'Number',
    isOther: true,
    reads: [],
    write: () => ({ precision: DIGITS, scale: 0 }),
  },
  inColumns: undefined,
  history: { dataType: 'Double' },
  column: () => 'integer',
  parameter: 'integer',
  csvText: (column) => sql`${column}::text`,
  coerce(value) {
    const number = coerceNumber(value, 'int')
    if (number === null) return null
    if (!Number.isInteger(number)) throw new WrongKind('int')
    return number
  },
  validate(value, field) {
    if (Math.abs(value as number) > MAX) throw outOfRange(field, value)
  },
  inEvents: true,
  literal: 'int',
  rollUp: { result: 'double', hasSum: true },
  formula: { type: 'Number' },
  operators: ['equality', 'order'],
  sortable: true,
  groupable: true,
  aggregatable: true,
  facts: () => ({ digits: DIGITS }),
}
