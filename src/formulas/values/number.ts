import { Decimal as Base } from 'decimal.js'
import { EvaluationError } from '../language/formula-error.ts'
import { MAX_DIGITS, MAX_POWER_DIGITS, MAX_SCALE } from '../language/formula-type.ts'

/**
 * Decimals with room for every result before it is rounded. Sums and products are exact up to 40 decimals, quotients are rounded half
 * away from zero at the 40th: the same in the process and in PostgreSQL.
 */
export const Decimal = Base.clone({
  precision: 2 * (MAX_DIGITS + MAX_SCALE) + 50,
  rounding: Base.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = Base

/** Precise enough for a double, and fast. */
const Rough = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP })

export const ZERO = new Decimal(0)
const TOO_BIG = new Decimal(10).pow(MAX_DIGITS)
const SHIFT = new Decimal(10).pow(MAX_SCALE + 1)

/**
 * A result as formulas keep it.
 * @throws EvaluationError when it is too big
 */
export function keepNumber(value: Decimal): Decimal {
  if (value.isZero()) return ZERO
  if (value.abs().gte(TOO_BIG)) throw new EvaluationError('The number is too big')
  if (value.decimalPlaces() <= MAX_SCALE) return value
  const rounded = value.toDecimalPlaces(MAX_SCALE)
  return rounded.isZero() ? ZERO : rounded
}

/** @throws EvaluationError */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.isZero()) throw new EvaluationError('Division by zero')
  return keepNumber(a.times(SHIFT).divToInt(b).div(SHIFT))
}

/** A double as a number: the shortest decimal that reads as the same double. */
export function fromDouble(value: number): Decimal {
  if (!Number.isFinite(value)) throw new EvaluationError('The number is too big')
  return keepNumber(new Decimal(value))
}

/** A function of a decimal, correctly rounded to a double. */
export const roughly = (value: Decimal, compute: (value: Base) => Base): Decimal =>
  fromDouble(compute(new Rough(value.toString())).toNumber())

/** Precise to 40 decimals of a number of 64 digits. */
const Power = Base.clone({ precision: 120, rounding: Base.ROUND_HALF_UP })

/** Significant digits of the result of `^`. */
const POWER_DIGITS = 18

/** @throws EvaluationError */
export function power(base: Decimal, exponent: Decimal): Decimal {
  if (!exponent.isInteger()) throw new EvaluationError('The exponent of ^ is not an integer')
  if (base.isZero()) {
    if (exponent.isNegative() && !exponent.isZero()) throw new EvaluationError('0 has no negative power')
    return exponent.isZero() ? new Decimal(1) : ZERO
  }
  const log = Math.log10(base.abs().toNumber()) * exponent.toNumber()
  if (log > MAX_POWER_DIGITS) throw new EvaluationError('The number is too big')
  if (log < -MAX_SCALE - 1) return ZERO
  const result = new Power(base.toString()).pow(exponent.toString()).toDecimalPlaces(MAX_SCALE)
  return keepNumber(new Decimal(result.toSignificantDigits(POWER_DIGITS).toString()))
}

/** Plain digits without an exponent or trailing zeros. */
export const formatNumber = (value: Decimal): string => (value.isZero() ? '0' : value.toFixed())
