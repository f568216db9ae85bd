import { type Sql, sql } from '../../base/sql.ts'
import type { Expression, Operation } from '../language/expression.ts'
import { type Facts, MAX_DIGITS, MAX_POWER_DIGITS, MAX_SCALE } from '../language/formula-type.ts'
import { type Decimal, divide, keepNumber, power } from '../values/number.ts'
import { makeOperation } from './operation.sql.ts'

/** Operators of numbers. Each has the facts of its result beside it. */
export interface Arithmetic {
  readonly operation: Operation
  facts(a: Facts, b: Facts, expressions: readonly Expression[]): Facts
}

const scaleOf = ({ scale = MAX_SCALE }: Facts) => scale
const digitsOf = ({ digits = MAX_DIGITS }: Facts) => digits

const sumFacts = (a: Facts, b: Facts): Facts => ({
  scale: Math.max(scaleOf(a), scaleOf(b)),
  digits: Math.max(digitsOf(a), digitsOf(b)) + 1,
})

const add: Arithmetic = {
  facts: sumFacts,
  operation: makeOperation({
    label: "operator '+'",
    evaluate: ([a, b]: Decimal[]) => keepNumber(a!.plus(b!)),
    sql: ([a, b]) => sql`(${a!} + ${b!})`,
  }),
}

const subtract: Arithmetic = {
  facts: sumFacts,
  operation: makeOperation({
    label: "operator '-'",
    evaluate: ([a, b]: Decimal[]) => keepNumber(a!.minus(b!)),
    sql: ([a, b]) => sql`(${a!} - ${b!})`,
  }),
}

const multiply: Arithmetic = {
  facts: (a, b) => ({
    scale: Math.min(scaleOf(a) + scaleOf(b), MAX_SCALE),
    digits: digitsOf(a) + digitsOf(b),
  }),
  operation: makeOperation({
    label: "operator '*'",
    evaluate: ([a, b]: Decimal[]) => keepNumber(a!.times(b!)),
    sql([a, b], [left, right]) {
      const product = sql`(${a!} * ${b!})`
      const isExact = scaleOf(left!.facts) + scaleOf(right!.facts) <= MAX_SCALE
      return isExact ? product : sql`round(${product}, ${sql.raw(String(MAX_SCALE))})`
    },
  }),
}

/** The exponent of a power of ten: 2 for 100; undefined for other expressions. */
function findPowerOfTen(expression: Expression): number | undefined {
  if (expression.kind !== 'literal' || expression.value === null) return undefined
  const match = /^10*$/.exec((expression.value as Decimal).toFixed())
  return match === null ? undefined : match[0].length - 1
}

/** Digits that PostgreSQL gives a quotient beside those that come from its size, with a reserve. */
const QUOTIENT_DIGITS = 12

const division: Arithmetic = {
  facts(a, b, [, divisor]) {
    const exponent = findPowerOfTen(divisor!)
    if (exponent !== undefined)
      return { scale: Math.min(scaleOf(a) + exponent, MAX_SCALE), digits: digitsOf(a) }
    return { scale: MAX_SCALE, digits: digitsOf(a) + scaleOf(b) }
  },
  operation: makeOperation({
    label: "operator '/'",
    evaluate: ([a, b]: Decimal[]) => divide(a!, b!),
    sql([a, b], [dividend, divisor]) {
      const exponent = findPowerOfTen(divisor!)
      if (exponent !== undefined && scaleOf(dividend!.facts) + exponent <= MAX_SCALE) {
        return sql`(${a!} * ${sql.raw(exponent === 0 ? '1.0' : `0.${'1'.padStart(exponent, '0')}`)})`
      }
      const isKnown = divisor!.kind === 'literal' && !(divisor!.value as Decimal).isZero()
      const max = sql.raw(String(MAX_SCALE))
      const quotient = sql`(round(${a!}, ${max}) / ${isKnown ? b! : sql`nullif(${b!}, 0)`})`
      // A quotient close to zero gets more decimals from PostgreSQL.
      const isShort = scaleOf(dividend!.facts) + digitsOf(divisor!.facts) <= QUOTIENT_DIGITS
      return isShort ? quotient : sql`round(${quotient}, ${max})`
    },
    fails: ([, b], [, divisor]) =>
      divisor!.kind === 'literal' && !(divisor!.value as Decimal | null)?.isZero()
        ? undefined
        : sql`${b!} = 0`,
  }),
}

const exponentiation: Arithmetic = {
  facts: () => ({ scale: MAX_SCALE, digits: MAX_POWER_DIGITS + 1 }),
  operation: makeOperation({
    label: "operator '^'",
    // to_char is not.
    isImmutable: false,
    evaluate: ([a, b]: Decimal[]) => power(a!, b!),
    sql: ([a, b]) =>
      sql`(case when ${b!} <> trunc(${b!}) then null
                when ${a!} = 0 then case when ${b!} = 0 then 1.0 when ${b!} > 0 then 0.0 end
                when ${magnitude(a!, b!)} <= 64
                then case when ${magnitude(a!, b!)} < -41 then 0.0 else
                  to_char(round(power(round(${a!}, 40), ${b!}), 40), '9.99999999999999999EEEE')::numeric end end)`,
    fails: ([a, b]) =>
      sql`(${b!} <> trunc(${b!}) or (${a!} = 0 and ${b!} < 0) or (${a!} <> 0 and ${magnitude(a!, b!)} > 64))`,
  }),
}

/** The decimal logarithm of a power. */
const magnitude = (base: Sql, exponent: Sql) =>
  sql`(log(nullif(abs(${base}), 0)::float8) * ${exponent}::float8)`

export const ARITHMETIC: Readonly<Record<'+' | '-' | '*' | '/' | '^', Arithmetic>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': division,
  '^': exponentiation,
}

export const negate: Operation = makeOperation({
  label: "operator '-'",
  evaluate: ([a]: Decimal[]) => keepNumber(a!.neg()),
  sql: ([a]) => sql`(- ${a!})`,
})
