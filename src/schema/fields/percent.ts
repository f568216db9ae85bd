import { decimalType } from './number.ts'

export const percent = decimalType('percent', { displayedAs: 'percent' })
