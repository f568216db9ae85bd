import { type Sql, sql } from '../../base/sql.ts'
import { EvaluationError } from '../language/formula-error.ts'
import { MAX_DIGITS, MAX_SCALE } from '../language/formula-type.ts'
import { Decimal, fromDouble, keepNumber, roughly, ZERO } from '../values/number.ts'
import { define } from './define.ts'
import { type FormulaFunction, NUMBER } from './function.ts'
import { makeOperation } from './operation.sql.ts'

/**
 * Functions with the precision of a double. Exponentials and logarithms are rounded to one correctly. Trigonometric functions
 * differ in their last digit from one library to the next, so they are rounded to 12 decimals.
 */

/** A number with all decimals, so that PostgreSQL computes that many. */
const precise = (value: Sql) => sql`round(${value}, ${sql.raw(String(MAX_SCALE))})`

/** The shortest decimal of a double, rounded as all numbers are. */
const shortest = (double: Sql) => sql`round(${double}::text::numeric, ${sql.raw(String(MAX_SCALE))})`

/** Units of the last place of a double between 1 and 2. */
const UNITS = 2 ** 52
const MAX_EXPANDED = 10 ** 15

/** The double closest to a number, with all of its decimals: the last digit of a result depends on them. Fractions and big numbers are kept. */
function expandDouble(value: Decimal): Decimal {
  if (value.abs().lt(1) || value.abs().gte(MAX_EXPANDED)) return value
  const double = value.toNumber()
  const whole = Math.floor(double)
  return new Decimal(whole).plus(new Decimal((double - whole) * UNITS).div(UNITS).toDecimalPlaces(60))
}

function expandDoubleSql(value: Sql): Sql {
  const double = sql`${value}::float8`
  const units = sql.raw(String(UNITS))
  return sql`case when abs(${value}) < 1 or abs(${value}) >= ${sql.raw(String(MAX_EXPANDED))} then ${precise(value)} else (floor(${double})::bigint::numeric + round(((${double} - floor(${double})) * ${units})::bigint::numeric, 60) / ${units}) end`
}

/** EXP of more has no room in a double; of less than the other it is nothing at 40 decimals. */
const MAX_EXPONENT = 709
const MIN_EXPONENT = -95

const TRIGONOMETRIC_SCALE = 12

/** Fifteen significant digits, as PostgreSQL has them in a numeric made of a double. */
const trigonometric = (value: number): Decimal =>
  keepNumber(new Decimal(Number(value.toPrecision(15))).toDecimalPlaces(TRIGONOMETRIC_SCALE))

const trigonometricSql = (double: Sql) =>
  sql`round((${double})::numeric, ${sql.raw(String(TRIGONOMETRIC_SCALE))})`

const facts = { scale: TRIGONOMETRIC_SCALE, digits: 1 }

function defineAngle(name: string, description: string, compute: (value: number) => number): FormulaFunction {
  return define({
    name,
    signature: `${name}(number)`,
    description,
    parameters: [NUMBER],
    result: 'Number',
    facts,
    evaluate: ([value]: Decimal[]) => trigonometric(compute(value!.toNumber())),
    sql: ([value]) => trigonometricSql(sql`${sql.raw(name.toLowerCase())}(${value!}::float8)`),
  })
}

function defineInverse(name: 'ACOS' | 'ASIN', compute: (value: number) => number): FormulaFunction {
  return define({
    name,
    signature: `${name}(number)`,
    description: `The arc ${name === 'ACOS' ? 'cosine' : 'sine'} in radians. Fails outside of -1 to 1.`,
    parameters: [NUMBER],
    result: 'Number',
    facts,
    evaluate([value]: Decimal[]) {
      if (value!.abs().gt(1)) throw new EvaluationError(`${name} of a number outside of -1 to 1`)
      return trigonometric(compute(value!.toNumber()))
    },
    sql: ([value]) =>
      trigonometricSql(
        sql`${sql.raw(name.toLowerCase())}((case when abs(${value!}) <= 1 then ${value!} end)::float8)`,
      ),
    fails: ([value]) => sql`abs(${value!}) > 1`,
  })
}

function defineLogarithm(
  name: 'LN' | 'LOG',
  description: string,
  compute: (value: Decimal) => Decimal,
): FormulaFunction {
  return define({
    name,
    signature: `${name}(number)`,
    description: `${description} Fails for 0 and below.`,
    parameters: [NUMBER],
    result: 'Number',
    facts: { scale: MAX_SCALE, digits: 3 },
    evaluate([value]: Decimal[]) {
      if (value!.lte(0)) throw new EvaluationError(`${name} of a number that is not above 0`)
      return roughly(expandDouble(value!), compute)
    },
    sql: ([value]) =>
      shortest(
        sql`${sql.raw(name.toLowerCase())}(case when ${value!} > 0 then ${expandDoubleSql(value!)} end)::float8`,
      ),
    fails: ([value]) => sql`${value!} <= 0`,
  })
}

/** The quotient of sine and cosine, so that it does not depend on a library either. */
const tangent = define({
  name: 'TAN',
  signature: 'TAN(radians)',
  description: 'The tangent of an angle.',
  parameters: [NUMBER],
  result: 'Number',
  facts: { scale: TRIGONOMETRIC_SCALE, digits: 13 },
  evaluate([value]: Decimal[]) {
    const angle = value!.toNumber()
    const cosine = trigonometric(Math.cos(angle))
    if (cosine.isZero()) throw new EvaluationError('TAN of a right angle')
    return keepNumber(
      trigonometric(Math.sin(angle))
        .div(cosine)
        .toDecimalPlaces(MAX_SCALE)
        .toDecimalPlaces(TRIGONOMETRIC_SCALE),
    )
  },
  sql: ([value]) =>
    sql`round(${precise(sql`${precise(trigonometricSql(sql`sin(${value!}::float8)`))} / nullif(${trigonometricSql(sql`cos(${value!}::float8)`)}, 0)`)}, ${sql.raw(String(TRIGONOMETRIC_SCALE))})`,
  fails: ([value]) => sql`${trigonometricSql(sql`cos(${value!}::float8)`)} = 0`,
})

const pi: FormulaFunction = {
  name: 'PI',
  signature: 'PI()',
  result: 'Number',
  description: 'The number pi, as a double: 3.141592653589793.',
  parameters: [],
  make: ({ at }) => ({
    kind: 'literal',
    type: 'Number',
    value: new Decimal(String(Math.PI)),
    facts: { scale: 15, digits: 1 },
    at,
    depth: 1,
  }),
}

export const DOUBLE_FUNCTIONS: readonly FormulaFunction[] = [
  define({
    name: 'SQRT',
    signature: 'SQRT(number)',
    description: 'The square root. Fails below 0.',
    parameters: [NUMBER],
    result: 'Number',
    facts: ({ digits = MAX_DIGITS }) => ({ scale: MAX_SCALE, digits: Math.ceil(digits / 2) + 1 }),
    evaluate([value]: Decimal[]) {
      if (value!.lt(0)) throw new EvaluationError('SQRT of a number below 0')
      return fromDouble(Math.sqrt(value!.toNumber()))
    },
    sql: ([value]) => shortest(sql`sqrt((case when ${value!} >= 0 then ${value!} end)::float8)`),
    fails: ([value]) => sql`${value!} < 0`,
  }),
  define({
    name: 'EXP',
    signature: 'EXP(number)',
    description: 'The power of e. Fails above 709, where it is too big.',
    parameters: [NUMBER],
    result: 'Number',
    facts: { scale: MAX_SCALE, digits: MAX_DIGITS },
    evaluate([value]: Decimal[]) {
      if (value!.gt(MAX_EXPONENT)) throw new EvaluationError('The number is too big')
      return value!.lt(MIN_EXPONENT) ? ZERO : roughly(expandDouble(value!), (exponent) => exponent.exp())
    },
    sql: ([value]) =>
      sql`(case when ${value!} < ${sql.raw(`(${MIN_EXPONENT})`)} then 0.0 when ${value!} <= ${sql.raw(String(MAX_EXPONENT))} then ${shortest(sql`exp(${expandDoubleSql(value!)})::float8`)} end)`,
    fails: ([value]) => sql`${value!} > ${sql.raw(String(MAX_EXPONENT))}`,
  }),
  defineLogarithm('LN', 'The natural logarithm.', (value) => value.ln()),
  defineLogarithm('LOG', 'The logarithm to the base 10.', (value) => value.log(10)),
  pi,
  defineAngle('SIN', 'The sine of an angle in radians.', Math.sin),
  defineAngle('COS', 'The cosine of an angle in radians.', Math.cos),
  tangent,
  defineInverse('ASIN', Math.asin),
  defineInverse('ACOS', Math.acos),
  defineAngle('ATAN', 'The arc tangent in radians.', Math.atan),
  define({
    name: 'ATAN2',
    signature: 'ATAN2(y, x)',
    description: 'The angle of a point in radians.',
    parameters: [NUMBER, NUMBER],
    result: 'Number',
    facts,
    evaluate: ([y, x]: Decimal[]) => trigonometric(Math.atan2(y!.toNumber(), x!.toNumber())),
    sql: ([y, x]) => trigonometricSql(sql`atan2(${y!}::float8, ${x!}::float8)`),
  }),
]

const EARTH_RADIUS = { km: 6371.0088, mi: 3958.7613 } as const

/** Decimals of a distance: a millimetre, which hides how libraries differ. */
const DISTANCE_SCALE = 6
const radians = (value: number) => (value * Math.PI) / 180

/** @param unit of the distance that the operation computes from two latitudes and longitudes */
export function makeDistance(unit: 'mi' | 'km') {
  const limits = [90, 180, 90, 180]
  const operation = makeOperation({
    label: "function 'DISTANCE()'",
    takesNull: true,
    evaluate(values: (Decimal | null)[]) {
      const [a, b] = [values.slice(0, 2), values.slice(2)]
      for (const point of [a, b]) {
        if ((point[0] === null) !== (point[1] === null))
          throw new EvaluationError('GEOLOCATION without a coordinate')
      }
      values.forEach((value, index) => {
        if (value?.abs().gt(limits[index]!)) throw new EvaluationError('GEOLOCATION out of range')
      })
      if (values.includes(null)) return null
      const [fromLatitude, fromLongitude, latitude, longitude] = values.map((value) => value!.toNumber()) as [
        number,
        number,
        number,
        number,
      ]
      const half = (x: number, y: number) => Math.sin(radians(x - y) / 2) ** 2
      const haversine =
        half(fromLatitude, latitude) +
        Math.cos(radians(fromLatitude)) * Math.cos(radians(latitude)) * half(fromLongitude, longitude)
      const distance = 2 * EARTH_RADIUS[unit] * Math.asin(Math.sqrt(Math.min(1, haversine)))
      return keepNumber(new Decimal(Number(distance.toPrecision(15))).toDecimalPlaces(DISTANCE_SCALE))
    },
    sql(args) {
      const [fromLatitude, fromLongitude, latitude, longitude] = args.map(
        (value) => sql`(${value})::float8`,
      ) as [Sql, Sql, Sql, Sql]
      const half = (x: Sql, y: Sql) => sql`power(sin(radians(${x} - ${y}) / 2), 2)`
      const haversine = sql`${half(fromLatitude, latitude)} + cos(radians(${fromLatitude})) * cos(radians(${latitude})) * ${half(fromLongitude, longitude)}`
      return sql`(case when num_nulls(${sql.join(args)}) = 0 then round((2 * ${sql.raw(String(EARTH_RADIUS[unit]))} * asin(sqrt(least(1, ${haversine}))))::numeric, ${sql.raw(String(DISTANCE_SCALE))}) end)`
    },
    fails(args) {
      const halves = [args.slice(0, 2), args.slice(2)].map((point) => sql`num_nulls(${sql.join(point)}) = 1`)
      const beyond = args.map((value, index) => sql`abs(${value}) > ${sql.raw(String(limits[index]))}`)
      return sql`(${sql.join([...halves, ...beyond], ' or ')})`
    },
  })
  const known = { scale: DISTANCE_SCALE, digits: 5 }
  return { operation, facts: known }
}
