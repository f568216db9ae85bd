import { type Sql, sql } from '../../base/sql.ts'
import type { Expression, Operation } from '../language/expression.ts'
import { type Facts, MAX_DIGITS, MAX_SCALE } from '../language/formula-type.ts'
import { checkDays, checkSeconds, DAY_MILLISECONDS, DAY_SECONDS } from '../values/civil-date.ts'
import { Decimal, divide } from '../values/number.ts'
import { orNull } from '../values/text.ts'
import { fromSeconds, isNoMoment, SAFE_REACH } from './dates.sql.ts'
import { makeOperation } from './operation.sql.ts'

/** The operators of texts, dates, datetimes and times. */

export const concatenation: Operation = makeOperation({
  label: "operator '&'",
  costPerCharacter: 1,
  takesNull: true,
  evaluate: ([a, b]) => orNull((a ?? '') + (b ?? '')),
  sql([a, b], [left, right]) {
    const isKnown = [left!, right!].some((one) => one.kind === 'literal' && one.value !== null)
    const text = (value: Sql, one: Expression) =>
      one.kind === 'literal' && one.value !== null ? value : sql`coalesce(${value}, '')`
    const joined = sql`(${text(a!, left!)} || ${text(b!, right!)})`
    return isKnown ? joined : sql`nullif(${joined}, '')`
  },
})

interface Moved {
  readonly operation: Operation
  readonly facts: Facts
}

/** Days that a number may have at most, whatever its digits say. */
const daysOf = ({ kind, facts, ...rest }: Expression): number => {
  const value =
    kind === 'literal' ? ((rest as { readonly value: Decimal | null }).value ?? new Decimal(0)) : undefined
  return value === undefined ? 10 ** Math.min(facts.digits ?? MAX_DIGITS, 12) : value.abs().toNumber()
}

const firstDay = sql`date '0001-01-01'`
const LAST_NUMBER = 3_652_058

/** Whole days, cut off toward zero, are added to a date. */
export function moveDate(date: Expression, number: Expression, sign: 1 | -1): Moved {
  const reach = (date.facts.reach ?? SAFE_REACH + 1) + daysOf(number)
  const isSafe = reach <= SAFE_REACH
  const operator = sql.raw(sign === 1 ? '+' : '-')
  const whole = (value: Sql) => (number.facts.scale === 0 ? value : sql`trunc(${value})`)
  const index = (day: Sql, value: Sql) => sql`((${day} - ${firstDay}) ${operator} ${whole(value)})`
  return {
    facts: { reach: isSafe ? reach : SAFE_REACH + 1 },
    operation: makeOperation({
      label: `operator '${sign === 1 ? '+' : '-'}'`,
      evaluate([day, value]: [number, Decimal]) {
        const days = value.trunc()
        return checkDays(days.abs().gt(1e9) ? Number.MAX_SAFE_INTEGER : day + sign * days.toNumber())
      },
      sql([day, value]) {
        if (isSafe) return sql`(${day!} ${operator} ${whole(value!)}::integer)`
        const at = index(day!, value!)
        return sql`(${firstDay} + (case when ${at} between 0 and ${sql.raw(String(LAST_NUMBER))} then ${at} end)::integer)`
      },
      fails: ([day, value]) =>
        isSafe ? undefined : sql`${index(day!, value!)} not between 0 and ${sql.raw(String(LAST_NUMBER))}`,
    }),
  }
}

/** Days and parts of them are added to a datetime, rounded to whole seconds. */
export function moveDateTime(moment: Expression, number: Expression, sign: 1 | -1): Moved {
  const reach = (moment.facts.reach ?? SAFE_REACH + 1) + daysOf(number) + 1
  const isSafe = reach <= SAFE_REACH
  const operator = sql.raw(sign === 1 ? '+' : '-')
  const seconds = (value: Sql) => sql`round(${value} * ${sql.raw(String(DAY_SECONDS))})`
  const index = (at: Sql, value: Sql) => sql`(extract(epoch from ${at}) ${operator} ${seconds(value)})`
  return {
    facts: { reach: isSafe ? reach : SAFE_REACH + 1 },
    operation: makeOperation({
      label: `operator '${sign === 1 ? '+' : '-'}'`,
      evaluate([at, value]: [number, Decimal]) {
        const moved = value.times(DAY_SECONDS).toDecimalPlaces(0)
        return checkSeconds(moved.abs().gt(1e13) ? Number.MAX_SAFE_INTEGER : at + sign * moved.toNumber())
      },
      sql: ([at, value]) =>
        isSafe
          ? sql`(${at!} ${operator} make_interval(secs => ${seconds(value!)}::float8))`
          : fromSeconds(index(at!, value!), false),
      fails: ([at, value]) => (isSafe ? undefined : isNoMoment(index(at!, value!))),
    }),
  }
}

const modulo = (milliseconds: number) =>
  ((milliseconds % DAY_MILLISECONDS) + DAY_MILLISECONDS) % DAY_MILLISECONDS

/** Milliseconds are added to a time of day, which wraps at midnight. */
export const moveTime = (sign: 1 | -1): Operation =>
  makeOperation({
    label: `operator '${sign === 1 ? '+' : '-'}'`,
    evaluate: ([time, value]: [number, Decimal]) =>
      modulo(time + sign * value.trunc().mod(DAY_MILLISECONDS).toNumber()),
    sql: ([time, value]) =>
      sql`(${time!} ${sql.raw(sign === 1 ? '+' : '-')} make_interval(secs => (mod(trunc(${value!}), ${sql.raw(String(DAY_MILLISECONDS))}) / 1000)::float8))`,
  })

/** Days between two dates. */
export const daysBetween: Operation = makeOperation({
  label: "operator '-'",
  evaluate: ([a, b]: number[]) => new Decimal(a! - b!),
  sql: ([a, b]) => sql`(${a!} - ${b!})::numeric`,
})

/** Days and parts of them between two datetimes. */
export const timeBetween: Operation = makeOperation({
  label: "operator '-'",
  evaluate: ([a, b]: number[]) => divide(new Decimal(a! - b!), new Decimal(DAY_SECONDS)),
  sql: ([a, b]) =>
    sql`(round(extract(epoch from ${a!}) - extract(epoch from ${b!}), ${sql.raw(String(MAX_SCALE))}) / ${sql.raw(String(DAY_SECONDS))})`,
})

/** Milliseconds from one time of day to the next other one. */
export const millisecondsBetween: Operation = makeOperation({
  label: "operator '-'",
  evaluate: ([a, b]: number[]) => new Decimal(modulo(a! - b!)),
  sql: ([a, b]) =>
    sql`mod(trunc(extract(epoch from ${a!}) * 1000) - trunc(extract(epoch from ${b!}) * 1000) + ${sql.raw(String(DAY_MILLISECONDS))}, ${sql.raw(String(DAY_MILLISECONDS))})`,
})
