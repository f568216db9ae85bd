import { type Sql, sql } from '../../base/sql.ts'
import type { Expression } from '../language/expression.ts'
import { type Facts, MAX_DIGITS } from '../language/formula-type.ts'
import {
  addMonths,
  checkSeconds,
  DAY_SECONDS,
  dayInZone,
  dayOf,
  dayOfWeek,
  isoWeek,
  makeDate,
  secondOfDay,
  toCivil,
  toDays,
} from '../values/civil-date.ts'
import { Decimal } from '../values/number.ts'
import { define } from './define.ts'
import { formatDurationFunction } from './durations.sql.ts'
import { DATE, type FormulaFunction, NUMBER, type Parameter, TIME } from './function.ts'
import { asWhole, toWhole, whole } from './integers.sql.ts'
import { type Any, makeOperation } from './operation.sql.ts'

const decimal = (value: number) => new Decimal(value)

/** The part of a date that EXTRACT names, as a number. */
function definePart(
  name: string,
  description: string,
  parameter: Parameter,
  part: Sql,
  range: readonly [number, number],
  find: (value: number) => number,
): FormulaFunction {
  return define({
    name,
    signature: `${name}(${parameter === TIME ? 'time' : 'date'})`,
    description,
    parameters: [parameter],
    result: 'Number',
    facts: { scale: 0, digits: String(range[1]).length, range },
    evaluate: ([value]: number[]) => decimal(find(value!)),
    sql: ([value]) => sql`extract(${part} from ${value!})`,
  })
}

/** A part of a date, or of the day in UTC of a datetime, by ISO 8601. */
function defineIsoPart(
  name: string,
  description: string,
  part: Sql,
  range: readonly [number, number],
  find: (days: number) => number,
): FormulaFunction {
  const ofDate = definePart(name, description, DATE, part, range, find)
  const ofMoment = definePart(name, description, ['DateTime'], part, range, (seconds) => find(dayOf(seconds)))
  return {
    ...ofDate,
    parameters: [['Date', 'DateTime']],
    make: (call) => (call.args[0]!.type === 'Date' ? ofDate : ofMoment).make(call),
  }
}

/** True if a part of a date is a whole number in its range whatever the record has. */
const isWithin = ({ kind, facts }: Expression, least: number, most: number) =>
  kind !== 'literal' && facts.range !== undefined && facts.range[0] >= least && facts.range[1] <= most

const literalOf = (expression: Expression): number | undefined =>
  expression.kind === 'literal' && expression.value !== null
    ? (expression.value as Decimal).trunc().toNumber()
    : undefined

/** The last day of a month that every year has. */
const SAFE_DAY = 28

/** The date of three numbers; of a day that a month does not have, one of the next month. */
function composeDate([year, month, day]: readonly [Sql, Sql, Sql], expressions: readonly Expression[]): Sql {
  const parts = [
    [year, 1, 9999],
    [month, 1, 12],
    [day, 1, 31],
  ] as const
  const conditions = parts.flatMap(([value, least, most], index) => {
    const expression = expressions[index]!
    const known = literalOf(expression)
    if (isWithin(expression, least, most) || (known !== undefined && known >= least && known <= most))
      return []
    return [sql`trunc(${value}) between ${whole(least)} and ${whole(most)}`]
  })
  const [y, m, d] = [year, month, day].map((value, index) => asPart(value, expressions[index]!))
  const date = sql`make_date(${y!}, ${m!}, 1) + (${d!} - 1)`
  return conditions.length === 0
    ? sql`(${date})`
    : sql`(case when ${sql.join(conditions, ' and ')} then ${date} end)`
}

const dateOperation = makeOperation({
  label: "function 'DATE()'",
  evaluate: ([year, month, day]: Decimal[]) =>
    makeDate(toWhole(year!, -1, 10_000), toWhole(month!, -1, 100), toWhole(day!, -1, 100)),
  sql([year, month, day], expressions) {
    const date = composeDate([year!, month!, day!], expressions)
    if (isEveryMonth(expressions[2]!)) return date
    return sql`(case when extract(day from ${date}) = trunc(${day!}) then ${date} end)`
  },
  fails([year, month, day], expressions) {
    const date = composeDate([year!, month!, day!], expressions)
    if (isEveryMonth(expressions[2]!)) return sql`${date} is null`
    return sql`(${date} is null or extract(day from ${date}) <> trunc(${day!}))`
  },
})

/** True if every month has the day. */
function isEveryMonth(day: Expression): boolean {
  const known = literalOf(day)
  return known !== undefined && known >= 1 && known <= SAFE_DAY
}

/** A part of a date as an integer, in a place where it is in its range. */
const asPart = (value: Sql, expression: Expression): Sql => {
  const known = literalOf(expression)
  return known === undefined ? sql`trunc(${value})::integer` : whole(Math.max(-1, Math.min(known, 10_000)))
}

/** Days that dates of fields may be moved by and still be in the years 1 to 9999. */
export const SAFE_REACH = 600_000

const isSafe = ({ reach = SAFE_REACH + 1 }: Facts) => reach <= SAFE_REACH

const MAX_MONTHS = 120_000

/** Adds months to dates, and to datetimes, whose time stays. */
function makeAddMonths(type: 'Date' | 'DateTime', facts: Facts) {
  const later = (value: Sql, months: Sql) => {
    const interval = sql`make_interval(months => ${months})`
    const moved = sql`case when extract(month from ${value} + interval '1 day') <> extract(month from ${value}) then ${value} + interval '1 day' + ${interval} - interval '1 day' else ${value} + ${interval} end`
    return type === 'Date' ? sql`(${moved})::date` : sql`(${moved})`
  }
  const index = (value: Sql, months: Sql) =>
    sql`(extract(year from ${value}) * 12 + extract(month from ${value}) - 1 + ${months})`
  const isOut = (value: Sql, months: Sql) => sql`${index(value, months)} not between 12 and 119999`
  return makeOperation({
    label: "function 'ADDMONTHS()'",
    evaluate([value, months]: [number, Decimal]) {
      const count = toWhole(months, -MAX_MONTHS, MAX_MONTHS)
      if (type === 'Date') return addMonths(value, count)
      return addMonths(dayOf(value), count) * DAY_SECONDS + secondOfDay(value)
    },
    sql([value, months], [, expression]) {
      const count = asWhole(months!, expression!, -MAX_MONTHS, MAX_MONTHS)
      if (isSafe(facts)) return later(value!, count)
      return sql`(case when not (${isOut(value!, count)}) then ${later(value!, count)} end)`
    },
    fails: ([value, months], [, expression]) =>
      isSafe(facts) ? undefined : isOut(value!, asWhole(months!, expression!, -MAX_MONTHS, MAX_MONTHS)),
  })
}

const addMonthsFunction: FormulaFunction = {
  name: 'ADDMONTHS',
  signature: 'ADDMONTHS(date, months)',
  result: 'Date, DateTime',
  description: 'The date some months later. The last day of a month leads to the last day of a month.',
  parameters: [['Date', 'DateTime'], NUMBER],
  make({ args }) {
    const [date, months] = args as [Expression, Expression]
    const type = date.type as 'Date' | 'DateTime'
    const known = literalOf(months)
    const digits = months.facts.digits ?? MAX_DIGITS
    const most = known === undefined ? 10 ** Math.min(digits, 7) : Math.abs(known)
    const facts = { reach: (date.facts.reach ?? SAFE_REACH) + 31 * most }
    return {
      type,
      facts: isSafe(facts) ? facts : { reach: SAFE_REACH + 1 },
      operation: makeAddMonths(type, facts),
    }
  },
}

const epoch = sql`timestamp '1970-01-01'`

/** A moment from seconds since 1970; null when it is not in the years 1 to 9999. */
export const fromSeconds = (seconds: Sql, isBounded: boolean): Sql => {
  const value = isBounded
    ? seconds
    : sql`case when ${seconds} between -62135596800 and 253402300799 then ${seconds} end`
  return sql`(${epoch} + make_interval(secs => (${value})::float8))`
}

export const isNoMoment = (seconds: Sql): Sql => sql`${seconds} not between -62135596800 and 253402300799`

/** Seconds of UNIXTIMESTAMP: of a date, a datetime, or of the day for a time. */
const timestamp = makeOperation({
  label: "function 'UNIXTIMESTAMP()'",
  evaluate: ([value]: number[]) => decimal(value!),
  sql: ([value]) => sql`floor(extract(epoch from ${value!}))`,
})
const dayTimestamp = {
  ...timestamp,
  evaluate: (...[args, run]: Parameters<typeof timestamp.evaluate>) => scale(args, run, DAY_SECONDS),
}
const timeTimestamp = {
  ...timestamp,
  evaluate: (...[args, run]: Parameters<typeof timestamp.evaluate>) => scale(args, run, 1 / 1000),
}

function scale(args: readonly Expression[], run: (argument: Expression) => Any, factor: number) {
  const value = run(args[0]!) as number | null
  return value === null ? null : decimal(Math.floor(value * factor))
}

export const DATE_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'DATE',
    signature: 'DATE(year, month, day)',
    result: 'Date',
    description: 'A date. Fails when there is no such day in the years 1 to 9999.',
    parameters: [NUMBER, NUMBER, NUMBER],
    make: () => ({ type: 'Date', facts: { reach: SAFE_REACH + 1 }, operation: dateOperation }),
  },
  definePart('YEAR', 'The year of a date.', DATE, sql`year`, [1, 9999], (days) => toCivil(days).year),
  definePart(
    'MONTH',
    'The month of a date, 1 to 12.',
    DATE,
    sql`month`,
    [1, 12],
    (days) => toCivil(days).month,
  ),
  definePart('DAY', 'The day of the month, 1 to 31.', DATE, sql`day`, [1, 31], (days) => toCivil(days).day),
  define({
    name: 'WEEKDAY',
    signature: 'WEEKDAY(date)',
    description: 'The day of the week, 1 for Sunday to 7 for Saturday.',
    parameters: [DATE],
    result: 'Number',
    facts: { scale: 0, digits: 1, range: [1, 7] },
    evaluate: ([days]: number[]) => decimal(dayOfWeek(days!) + 1),
    sql: ([date]) => sql`(1 + extract(dow from ${date!}))`,
  }),
  defineIsoPart(
    'ISOWEEK',
    'The week of the year by ISO 8601; of a datetime that of its day in UTC.',
    sql`week`,
    [1, 53],
    (days) => isoWeek(days).week,
  ),
  defineIsoPart(
    'ISOYEAR',
    'The year that the ISO week belongs to; of a datetime that of its day in UTC.',
    sql`isoyear`,
    [0, 10_000],
    (days) => isoWeek(days).year,
  ),
  definePart('DAYOFYEAR', 'The day of the year, 1 to 366.', DATE, sql`doy`, [1, 366], (days) => {
    return days - toDays(toCivil(days).year, 1, 1) + 1
  }),
  definePart('HOUR', 'The hour of a time, 0 to 23.', TIME, sql`hour`, [0, 23], (time) =>
    Math.floor(time / 3_600_000),
  ),
  definePart(
    'MINUTE',
    'The minute of a time.',
    TIME,
    sql`minute`,
    [0, 59],
    (time) => Math.floor(time / 60_000) % 60,
  ),
  define({
    name: 'SECOND',
    signature: 'SECOND(time)',
    description: 'The second of a time.',
    parameters: [TIME],
    result: 'Number',
    facts: { scale: 0, digits: 2, range: [0, 59] },
    evaluate: ([time]: number[]) => decimal(Math.floor(time! / 1000) % 60),
    sql: ([time]) => sql`trunc(extract(second from ${time!}))`,
  }),
  define({
    name: 'MILLISECOND',
    signature: 'MILLISECOND(time)',
    description: 'The millisecond of a time, 0 to 999.',
    parameters: [TIME],
    result: 'Number',
    facts: { scale: 0, digits: 3, range: [0, 999] },
    evaluate: ([time]: number[]) => decimal(time! % 1000),
    sql: ([time]) => sql`mod(trunc(extract(milliseconds from ${time!})), 1000)`,
  }),
  addMonthsFunction,
  {
    name: 'UNIXTIMESTAMP',
    signature: 'UNIXTIMESTAMP(value)',
    result: 'Number',
    description: 'Seconds since 1970 of a date or datetime in UTC, or since midnight of a time.',
    parameters: [['Date', 'DateTime', 'Time']],
    make({ args: [value] }) {
      const operations = { Date: dayTimestamp, DateTime: timestamp, Time: timeTimestamp }
      return {
        type: 'Number',
        facts: { scale: 0, digits: 12 },
        operation: operations[value!.type as keyof typeof operations] ?? timestamp,
      }
    },
  },
  define({
    name: 'FROMUNIXTIME',
    signature: 'FROMUNIXTIME(seconds)',
    description: 'The datetime some seconds after 1970 began, in UTC.',
    parameters: [NUMBER],
    result: 'DateTime',
    facts: { reach: SAFE_REACH + 1 },
    evaluate: ([seconds]: Decimal[]) => checkSeconds(Math.floor(toWholeSeconds(seconds!))),
    sql: ([seconds]) => fromSeconds(sql`floor(${seconds!})`, false),
    fails: ([seconds]) => isNoMoment(sql`floor(${seconds!})`),
  }),
  {
    ...define({
      name: 'TODAY',
      signature: 'TODAY()',
      description: "The current date in the user's time zone.",
      parameters: [],
      result: 'Date',
      facts: { reach: 0 },
      isImmutable: false,
      evaluate: (_args, { now, timeZone }) => dayInZone(Math.floor(now.getTime() / 1000), timeZone),
      sql: (_args, _expressions, { today }) => today,
    }),
  },
  define({
    name: 'NOW',
    signature: 'NOW()',
    description: 'The current date and time, to the second.',
    parameters: [],
    result: 'DateTime',
    facts: { reach: 0 },
    isImmutable: false,
    evaluate: (_args, { now }) => Math.floor(now.getTime() / 1000),
    sql: (_args, _expressions, { now }) => now,
  }),
  define({
    name: 'TIMENOW',
    signature: 'TIMENOW()',
    description: 'The current time of day in UTC, to the second.',
    parameters: [],
    result: 'Time',
    isImmutable: false,
    evaluate: (_args, { now }) => secondOfDay(Math.floor(now.getTime() / 1000)) * 1000,
    sql: (_args, _expressions, { now }) => sql`(${now})::time`,
  }),
  formatDurationFunction,
]

/** Far enough from every date. */
const toWholeSeconds = (seconds: Decimal): number =>
  seconds.abs().gt(1e15) ? Number.MAX_SAFE_INTEGER : seconds.floor().toNumber()
