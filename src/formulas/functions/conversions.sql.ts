import { type Sql, sql } from '../../base/sql.ts'
import type { Operation } from '../language/expression.ts'
import { EvaluationError } from '../language/formula-error.ts'
import { MAX_DIGITS, MAX_SCALE } from '../language/formula-type.ts'
import {
  DAY_SECONDS,
  dayInZone,
  formatDate,
  formatDateTime,
  formatTime,
  makeDate,
  secondOfDay,
} from '../values/civil-date.ts'
import { Decimal, formatNumber, keepNumber } from '../values/number.ts'
import { SAFE_REACH } from './dates.sql.ts'
import { define } from './define.ts'
import { type FormulaFunction, TEXT } from './function.ts'
import { makeOperation } from './operation.sql.ts'

/** Texts that VALUE reads, as PostgreSQL and JavaScript understand them alike. */
const NUMERIC = /^[+-]?(?:\d{1,64}(?:\.\d{0,64})?|\.\d{1,64})(?:[eE][+-]?\d{1,2})?$/
const NUMERIC_SQL = sql`'^[+-]?([0-9]{1,64}([.][0-9]{0,64})?|[.][0-9]{1,64})([eE][+-]?[0-9]{1,2})?$'`
const DATE = /^(\d{4})-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])$/
const DATE_SQL = sql`'^[0-9]{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01])$'`
const DATE_TIME =
  /^(\d{4})-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01]) ([01]?\d|2[0-3]):([0-5]?\d):([0-5]?\d) {0,100}$/
const DATE_TIME_SQL = sql`'^[0-9]{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01]) ([01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9] {0,100}$'`
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.(\d{3})$/
const TIME_SQL = sql`'^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}$'`

const shown = (text: string) => `'${text.length > 100 ? `${text.slice(0, 100)}...` : text}'`

const invalid = (text: string, type: string) =>
  new EvaluationError(`The value ${shown(text)} is not a valid ${type}.`, `A value is not a valid ${type}.`)

const split = (value: Sql, separator: string, part: number) =>
  sql`split_part(${value}, ${sql.raw(`'${separator}'`)}, ${sql.raw(String(part))})`

/** The date that a text begins with, whose month and day are in range; 31 February is 3 March. */
function readDate(date: Sql): Sql {
  const part = (n: number) => sql`${split(date, '-', n)}::integer`
  return sql`(make_date(nullif(${part(1)}, 0), ${part(2)}, 1) + (${part(3)} - 1))`
}

/** True if the text before a blank is not the date that it is read as. */
const isNoDate = (date: Sql): Sql =>
  sql`(${readDate(date)} is null or extract(day from ${readDate(date)}) <> ${split(date, '-', 3)}::integer)`

/** The value of a text that has a known form, and whether it cannot be read. */
const readText = (value: Sql, form: Sql, read: Sql): Sql =>
  sql`(case when ${value} ~ ${form} then ${read} end)`
const failsText = (value: Sql, form: Sql, isWrong: Sql = sql`false`): Sql =>
  sql`(case when ${value} ~ ${form} then ${isWrong} else ${value} is not null end)`

const two = (part: Sql) => sql`lpad(${part}::text, 2, '0')`

function dateText(value: Sql): Sql {
  const part = (name: string) => sql`extract(${sql.raw(name)} from ${value})`
  return sql`(lpad(${part('year')}::text, 4, '0') || '-' || ${two(part('month'))} || '-' || ${two(part('day'))})`
}

/** Text of values. PostgreSQL's own depends on settings of the session, so that it could not be indexed. */
const TEXT_OPERATIONS: Readonly<Record<string, { readonly operation: Operation; readonly length?: number }>> =
  {
    Number: {
      operation: makeOperation({
        label: "function 'TEXT()'",
        evaluate: ([value]: Decimal[]) => formatNumber(value!),
        sql: ([value]) => sql`trim_scale(${value!})::text`,
      }),
    },
    Date: {
      length: 10,
      operation: makeOperation({
        label: "function 'TEXT()'",
        evaluate: ([value]: number[]) => formatDate(value!),
        sql: ([value]) => dateText(value!),
      }),
    },
    DateTime: {
      length: 20,
      operation: makeOperation({
        label: "function 'TEXT()'",
        evaluate: ([value]: number[]) => `${formatDateTime(value!)}Z`,
        sql([value]) {
          const part = (name: string) => two(sql`trunc(extract(${sql.raw(name)} from ${value!}))`)
          return sql`(${dateText(value!)} || ' ' || ${part('hour')} || ':' || ${part('minute')} || ':' || ${part('second')} || 'Z')`
        },
      }),
    },
    Time: {
      length: 12,
      operation: makeOperation({
        label: "function 'TEXT()'",
        evaluate: ([value]: number[]) => formatTime(value!),
        sql([value]) {
          const part = (name: string) => sql`extract(${sql.raw(name)} from ${value!})`
          return sql`(${two(part('hour'))} || ':' || ${two(part('minute'))} || ':' || lpad(${part('second')}::numeric(5, 3)::text, 6, '0'))`
        },
      }),
    },
    Picklist: {
      operation: makeOperation({
        label: "function 'TEXT()'",
        evaluate: ([value]: string[]) => value!,
        sql: ([value]) => value!,
      }),
    },
  }

const textFunction: FormulaFunction = {
  name: 'TEXT',
  signature: 'TEXT(value)',
  result: 'Text',
  description:
    'A number without trailing zeros, a date as `2026-11-24`, a datetime in UTC as `2026-11-24 05:06:07Z`, a time as `10:15:00.000`, or the value of a picklist.',
  parameters: [['Number', 'Date', 'DateTime', 'Time', 'Picklist']],
  make({ args: [value] }) {
    const { type, facts } = value!
    const { operation, length } = TEXT_OPERATIONS[type] ?? TEXT_OPERATIONS.Picklist!
    const known =
      type === 'Number'
        ? (facts.digits ?? MAX_DIGITS) + (facts.scale ?? MAX_SCALE) + 2
        : (length ?? facts.length ?? 0)
    return { type: 'Text', facts: { length: known }, operation }
  },
}

const valueOperation = makeOperation({
  label: "function 'VALUE()'",
  evaluate([value]: string[]) {
    if (!NUMERIC.test(value!)) throw invalid(value!, 'number')
    return keepNumber(new Decimal(value!))
  },
  sql: ([value]) =>
    readText(value!, NUMERIC_SQL, sql`round(${value!}::numeric, ${sql.raw(String(MAX_SCALE))})`),
  fails: ([value]) => failsText(value!, NUMERIC_SQL),
})

const dateOfText = makeOperation({
  label: "function 'DATEVALUE()'",
  evaluate([value]: string[]) {
    const match = DATE.exec(value!)
    if (match === null) throw invalid(value!, 'date')
    return makeDate(Number(match[1]), Number(match[2]), Number(match[3]))
  },
  sql: ([value]) =>
    readText(value!, DATE_SQL, sql`case when not ${isNoDate(value!)} then ${readDate(value!)} end`),
  fails: ([value]) => failsText(value!, DATE_SQL, isNoDate(value!)),
})

const dateOfDateTime = makeOperation({
  label: "function 'DATEVALUE()'",
  isImmutable: false,
  evaluate: ([value]: number[], { timeZone }) => dayInZone(value!, timeZone),
  sql: ([value], _expressions, { timeZone }) =>
    sql`((${value!} at time zone 'UTC') at time zone ${timeZone})::date`,
})

const dateTimeOfText = makeOperation({
  label: "function 'DATETIMEVALUE()'",
  evaluate([value]: string[]) {
    const match = DATE_TIME.exec(value!)
    if (match === null) throw invalid(value!, 'datetime')
    const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    return makeDate(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second
  },
  sql([value]) {
    const time = split(value!, ' ', 2)
    const part = (n: number) => split(time, ':', n)
    return readText(
      value!,
      DATE_TIME_SQL,
      sql`case when not ${isNoDate(split(value!, ' ', 1))} then ${readDate(split(value!, ' ', 1))} end + make_time(${part(1)}::integer, ${part(2)}::integer, ${part(3)}::float8)`,
    )
  },
  fails: ([value]) => failsText(value!, DATE_TIME_SQL, isNoDate(split(value!, ' ', 1))),
})

const timeOfText = makeOperation({
  label: "function 'TIMEVALUE()'",
  evaluate([value]: string[]) {
    const match = TIME.exec(value!)
    if (match === null) throw invalid(value!, 'time')
    const [hour, minute, second, milliseconds] = match.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
    ]
    return ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds
  },
  sql([value]) {
    const part = (n: number) => split(value!, ':', n)
    return readText(
      value!,
      TIME_SQL,
      sql`make_time(${part(1)}::integer, ${part(2)}::integer, ${part(3)}::float8)`,
    )
  },
  fails: ([value]) => failsText(value!, TIME_SQL),
})

/** A conversion that leaves the value, or cuts it to another type. */
const convert = (label: string, evaluate: (value: number) => number, cast: string): Operation =>
  makeOperation({
    label,
    evaluate: ([value]: number[]) => evaluate(value!),
    sql: ([value]) => sql`(${value!})${sql.raw(cast)}`,
  })

const toDateTime = convert("function 'DATETIMEVALUE()'", (days) => days * DAY_SECONDS, '::timestamp')
const toTime = convert("function 'TIMEVALUE()'", (seconds) => secondOfDay(seconds) * 1000, '::time')

export const CONVERSION_FUNCTIONS: readonly FormulaFunction[] = [
  textFunction,
  {
    name: 'VALUE',
    signature: 'VALUE(text)',
    result: 'Number',
    description: 'The number that a text says: `-12.5`, `1e3`. Fails for other texts.',
    parameters: [TEXT],
    make: () => ({ type: 'Number', facts: { scale: MAX_SCALE, digits: 163 }, operation: valueOperation }),
  },
  define({
    name: 'ISNUMBER',
    signature: 'ISNUMBER(text)',
    description: 'Whether VALUE can read a text.',
    parameters: [TEXT],
    takesNull: true,
    result: 'Boolean',
    evaluate: ([value]: (string | null)[]) => value !== null && NUMERIC.test(value!),
    sql: ([value]) => sql`coalesce(${value!} ~ ${NUMERIC_SQL}, false)`,
  }),
  {
    name: 'DATEVALUE',
    signature: 'DATEVALUE(value)',
    result: 'Date',
    description:
      "The date of a datetime in the user's time zone, or of a text like `2026-11-24`. Fails for other texts.",
    parameters: [['DateTime', 'Text']],
    make: ({ args: [value] }) =>
      value!.type === 'DateTime'
        ? {
            type: 'Date',
            facts: { reach: (value!.facts.reach ?? SAFE_REACH) + 1 },
            operation: dateOfDateTime,
          }
        : { type: 'Date', facts: { reach: SAFE_REACH + 1 }, operation: dateOfText },
  },
  {
    name: 'DATETIMEVALUE',
    signature: 'DATETIMEVALUE(value)',
    result: 'DateTime',
    description: 'Midnight of a date, or the datetime of a text like `2026-11-24 05:06:07`, in UTC.',
    parameters: [['DateTime', 'Date', 'Text']],
    make({ args: [value] }) {
      if (value!.type === 'DateTime') return value!
      if (value!.type === 'Date') return { type: 'DateTime', facts: value!.facts, operation: toDateTime }
      return { type: 'DateTime', facts: { reach: SAFE_REACH + 1 }, operation: dateTimeOfText }
    },
  },
  {
    name: 'TIMEVALUE',
    signature: 'TIMEVALUE(value)',
    result: 'Time',
    description: 'The time of day of a datetime in UTC, or of a text like `10:15:00.000`.',
    parameters: [['Time', 'DateTime', 'Text']],
    make({ args: [value] }) {
      if (value!.type === 'Time') return value!
      return { type: 'Time', facts: {}, operation: value!.type === 'DateTime' ? toTime : timeOfText }
    },
  },
]
