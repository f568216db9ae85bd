import { decimalType } from './number.ts'

export const double = decimalType('double')
