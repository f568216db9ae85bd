import { decimalType } from './number.ts'

export const double = decimalType('double', { rollUp: { result: 'double', hasSum: true, counts: true } })
