import type { FieldType } from './field-type.ts'
import { csvText, decimalType } from './number.ts'
import type { TypeInColumns } from './type-in-columns.ts'

/** Digits that a JSON number represents exactly. */
const EXACT_DIGITS = 15

/** With an exponent as results of queries have it: `1.15E8`. */
const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+|[1-9]\.\d+E-?\d{1,2})$/

/** Numbers with leading zeros and numbers with too many digits are text, because they are identifiers. */
const inColumns: TypeInColumns = {
  has: (value) =>
    DECIMAL.test(value) && value.replace(/E.*/, '').replaceAll(/\D/g, '').length <= EXACT_DIGITS,
  makeField({ digits, scale, isWhole }) {
    if (isWhole) return { precision: 18, scale: 0, because: 'whole numbers' }
    if (digits + scale > EXACT_DIGITS) return undefined
    return { precision: 18, scale, because: `numbers with up to ${scale} digits after the point` }
  },
}

export const double: FieldType = decimalType('double', 'Number', 0, {
  graphql: 'Double',
  history: { dataType: 'Double', jsonText: csvText },
  inColumns,
  inEvents: true,
  rollUp: { result: 'double', hasSum: true, counts: true },
})
