import type { FieldType } from './field-type.ts'
import { decimalType } from './number.ts'

export const percent: FieldType = decimalType('percent', 'Percent', 2, {
  graphql: 'Percent',
  displayedAs: 'percent',
  formula: { type: 'Number', isResult: true, isPercent: true },
})
