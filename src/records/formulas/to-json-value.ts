import type { Value } from '../../formulas/language/expression.ts'
import type { FormulaType } from '../../formulas/language/formula-type.ts'
import { formatDate, formatDateTime, formatTime } from '../../formulas/values/civil-date.ts'
import type { Decimal } from '../../formulas/values/number.ts'

/** The JSON form of a formula's value. */
export function toJsonValue(value: Value, type: FormulaType): string | number | boolean | null {
  if (value === null) return null
  switch (type) {
    case 'Number':
      return (value as Decimal).toNumber()
    case 'Date':
      return formatDate(value as number)
    case 'DateTime':
      return `${formatDateTime(value as number).replace(' ', 'T')}Z`
    case 'Time':
      return formatTime(value as number)
    default:
      return value as string | boolean
  }
}
