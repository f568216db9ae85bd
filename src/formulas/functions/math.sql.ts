import { type Sql, sql } from '../../base/sql.ts'
import type { Expression } from '../language/expression.ts'
import { EvaluationError } from '../language/formula-error.ts'
import { type Facts, MAX_DIGITS, MAX_SCALE } from '../language/formula-type.ts'
import { Decimal, keepNumber } from '../values/number.ts'
import { define } from './define.ts'
import { type FormulaFunction, isMade, NUMBER } from './function.ts'
import { asWhole, toWhole } from './integers.sql.ts'
import { type Any, isNeverNull, mergeFacts } from './operation.sql.ts'

/** Decimals that CEILING and FLOOR look at, so that 6 / 11 * 11 is 6. */
const SETTLED_SCALE = 33

const settle = (value: Decimal): Decimal =>
  value.decimalPlaces() > SETTLED_SCALE ? value.toDecimalPlaces(SETTLED_SCALE) : value

const settled = (value: Sql, { facts }: Expression): Sql =>
  (facts.scale ?? MAX_SCALE) > SETTLED_SCALE ? sql`round(${value}, ${sql.raw(String(SETTLED_SCALE))})` : value

/** A function that makes a number whole. `away` and `toward` are its SQL functions for values from zero on and below. */
function defineWhole(
  name: string,
  description: string,
  round: (value: Decimal) => Decimal,
  [above, below]: readonly [string, string],
): FormulaFunction {
  return define({
    name,
    signature: `${name}(number)`,
    description,
    parameters: [NUMBER],
    result: 'Number',
    facts: ({ digits = MAX_DIGITS }) => ({ scale: 0, digits: digits + 1 }),
    evaluate: ([value]: Decimal[]) => keepNumber(round(settle(value!))),
    sql([value], [expression]) {
      const number = settled(value!, expression!)
      if (above === below) return sql`${sql.raw(above)}(${number})`
      return sql`(case when ${number} >= 0 then ${sql.raw(above)}(${number}) else ${sql.raw(below)}(${number}) end)`
    },
  })
}

/** Decimals that ROUND and TRUNC keep; negative ones are places before the point. */
const MOST_PLACES = MAX_SCALE

function definePlaces(
  name: 'ROUND' | 'TRUNC',
  description: string,
  round: (value: Decimal, places: number) => Decimal,
): FormulaFunction {
  const call = sql.raw(name.toLowerCase())
  return {
    ...define({
      name,
      signature: name === 'ROUND' ? 'ROUND(number, places)' : 'TRUNC(number[, places])',
      description,
      parameters: [NUMBER, NUMBER],
      ...(name === 'TRUNC' && { optional: 1 }),
      result: 'Number',
      facts: ({ digits = MAX_DIGITS, scale = MAX_SCALE }) => ({
        scale,
        digits: name === 'ROUND' ? digits + 1 : digits,
      }),
      evaluate: ([value, places]: Decimal[]) =>
        keepNumber(round(value!, places === undefined ? 0 : toWhole(places, -100, MOST_PLACES))),
      sql: ([value, places], [, expression]) =>
        places === undefined
          ? sql`${call}(${value!})`
          : sql`${call}(${value!}, ${asWhole(places, expression!, -100, MOST_PLACES)})`,
    }),
  }
}

/** Moves the point, rounds to a whole number, and moves it back: also places before the point. */
function roundAt(value: Decimal, places: number, mode: 1 | 4): Decimal {
  if (places >= 0) return value.toDecimalPlaces(places, mode)
  const unit = new Decimal(10).pow(-places)
  return value.div(unit).toDecimalPlaces(0, mode).times(unit)
}

/** The scale of a result is that of the places, where these are a literal. */
function withPlaces(definition: FormulaFunction): FormulaFunction {
  return {
    ...definition,
    make(call) {
      const made = definition.make(call)
      const [, places] = call.args
      if (!isMade(made)) return made
      const known = places === undefined ? 0 : (places.kind === 'literal' && places.value) || undefined
      if (known === undefined) return made
      const scale = Math.min(
        made.facts.scale ?? MAX_SCALE,
        Math.max(0, toWhole(new Decimal(known as Any), 0, MOST_PLACES)),
      )
      return { ...made, facts: { ...made.facts, scale } }
    },
  }
}

function defineExtreme(name: 'MAX' | 'MIN'): FormulaFunction {
  const pick = (values: Decimal[]) => (name === 'MAX' ? Decimal.max(...values) : Decimal.min(...values))
  const call = sql.raw(name === 'MAX' ? 'greatest' : 'least')
  return define({
    name,
    signature: `${name}(number, ...)`,
    description: `The ${name === 'MAX' ? 'largest' : 'smallest'} of the numbers; no value if one of them has none.`,
    parameters: [NUMBER],
    repeats: true,
    result: 'Number',
    facts: (...all: Facts[]) => mergeFacts(all),
    evaluate: (values: Decimal[]) => pick(values),
    sql(args, expressions) {
      const nullable = args.filter((_, index) => !isNeverNull(expressions[index]!))
      const extreme = sql`${call}(${sql.join(args)})`
      if (nullable.length === 0 || args.length === 1) return extreme
      // PostgreSQL ignores nulls.
      const isKnown = nullable.map((one) => sql`${one} is not null`)
      return sql`(case when ${sql.join(isKnown, ' and ')} then ${extreme} end)`
    },
  })
}

export const MATH_FUNCTIONS: readonly FormulaFunction[] = [
  define({
    name: 'ABS',
    signature: 'ABS(number)',
    description: 'The number without its sign.',
    parameters: [NUMBER],
    result: 'Number',
    facts: ({ scale = MAX_SCALE, digits = MAX_DIGITS }) => ({ scale, digits }),
    evaluate: ([value]: Decimal[]) => value!.abs(),
    sql: ([value]) => sql`abs(${value!})`,
  }),
  defineWhole(
    'CEILING',
    'The next whole number away from zero: -2 for -1.3.',
    (value) => value.toDecimalPlaces(0, Decimal.ROUND_UP),
    ['ceil', 'floor'],
  ),
  defineWhole(
    'FLOOR',
    'The next whole number toward zero: -1 for -1.3.',
    (value) => value.toDecimalPlaces(0, Decimal.ROUND_DOWN),
    ['floor', 'ceil'],
  ),
  defineWhole('MCEILING', 'The next whole number upward: -1 for -1.3.', (value) => value.ceil(), [
    'ceil',
    'ceil',
  ]),
  defineWhole('MFLOOR', 'The next whole number downward: -2 for -1.3.', (value) => value.floor(), [
    'floor',
    'floor',
  ]),
  withPlaces(
    definePlaces(
      'ROUND',
      'The number rounded half away from zero, to places behind the point, or before it if negative.',
      (value, places) => roundAt(value, places, Decimal.ROUND_HALF_UP),
    ),
  ),
  withPlaces(
    definePlaces('TRUNC', 'The number cut off behind some places, 0 unless given.', (value, places) =>
      roundAt(value, places, Decimal.ROUND_DOWN),
    ),
  ),
  define({
    name: 'MOD',
    signature: 'MOD(number, divisor)',
    description: 'The remainder of a division, with the sign of the number. Fails for the divisor 0.',
    parameters: [NUMBER, NUMBER],
    result: 'Number',
    facts: (a, b) => ({
      scale: Math.max(a.scale ?? MAX_SCALE, b.scale ?? MAX_SCALE),
      digits: Math.min(a.digits ?? MAX_DIGITS, b.digits ?? MAX_DIGITS),
    }),
    evaluate([value, divisor]: Decimal[]) {
      if (divisor!.isZero()) throw new EvaluationError('Division by zero')
      return keepNumber(value!.mod(divisor!))
    },
    sql: ([value, divisor]) => sql`mod(${value!}, nullif(${divisor!}, 0))`,
    fails: ([, divisor], [, expression]) =>
      expression!.kind === 'literal' && !(expression!.value as Decimal | null)?.isZero()
        ? undefined
        : sql`${divisor!} = 0`,
  }),
  defineExtreme('MAX'),
  defineExtreme('MIN'),
]
