import type { FieldType } from './field-type.ts'
import { decimalType } from './number.ts'

export const currency: FieldType = decimalType('currency', 'Currency', 2, {
  graphql: 'Currency',
  importedFrom: { money: undefined },
  currency: true,
  displayedAs: 'currency',
})
