import { decimalType } from './number.ts'

export const currency = decimalType('currency', { currency: true, displayedAs: 'currency' })
