import { type Sql, sql } from '../../base/sql.ts'
import type { Expression } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import { MAX_DIGITS } from '../language/formula-type.ts'
import { DAY_SECONDS } from '../values/civil-date.ts'
import type { Decimal } from '../values/number.ts'
import type { FormulaFunction } from './function.ts'
import { toWhole } from './integers.sql.ts'
import { makeOperation } from './operation.sql.ts'

/** `HH:MM:SS` of seconds, with days in front if asked for. */
function formatDuration(seconds: number, hasDays: boolean): string {
  const rest = hasDays ? seconds % DAY_SECONDS : seconds
  const pad = (value: number) => String(value).padStart(2, '0')
  const time = `${pad(Math.floor(rest / 3600))}:${pad(Math.floor(rest / 60) % 60)}:${pad(rest % 60)}`
  return hasDays ? `${Math.floor(seconds / DAY_SECONDS)}:${time}` : time
}

function formatDurationSql(seconds: Sql, hasDays: Sql | boolean): Sql {
  const two = (value: Sql) => sql`lpad((${value})::text, 2, '0')`
  const hours = sql`div(${seconds}, 3600)`
  const short = sql`case when ${hours} < 10 then '0' else '' end || ${hours}::text`
  const long = sql`div(${seconds}, 86400)::text || ':' || ${two(sql`mod(${hours}, 24)`)}`
  const start =
    hasDays === true
      ? long
      : hasDays === false
        ? short
        : sql`case when ${hasDays} then ${long} when not ${hasDays} then ${short} end`
  return sql`((${start}) || ':' || ${two(sql`mod(div(${seconds}, 60), 60)`)} || ':' || ${two(sql`mod(${seconds}, 60)`)})`
}

/** Durations of more seconds than that are cut. */
const MAX_DURATION = 10 ** 12

const durationOfNumber = makeOperation({
  label: "function 'FORMATDURATION()'",
  evaluate: ([value, hasDays = false]: [Decimal, boolean?]) =>
    formatDuration(toWhole(value.abs(), 0, MAX_DURATION), hasDays),
  sql([value, hasDays], [expression]) {
    const seconds = sql`trunc(abs(${value!}))`
    const most = sql.raw(String(MAX_DURATION))
    const isShort = (expression!.facts.digits ?? MAX_DIGITS) <= 12
    const bounded = isShort ? seconds : sql`(case when ${seconds} > ${most} then ${most} else ${seconds} end)`
    return formatDurationSql(bounded, hasDays ?? false)
  },
})

/** Between two times in milliseconds, or two datetimes in seconds. */
const durationBetween = (type: 'Time' | 'DateTime') =>
  makeOperation({
    label: "function 'FORMATDURATION()'",
    evaluate([a, b]: number[]) {
      const seconds = type === 'Time' ? Math.floor(Math.abs(a! - b!) / 1000) : Math.abs(a! - b!)
      return formatDuration(seconds, type === 'DateTime')
    },
    sql: ([a, b]) =>
      formatDurationSql(
        sql`floor(abs(extract(epoch from ${a!}) - extract(epoch from ${b!})))`,
        type === 'DateTime',
      ),
  })

export const formatDurationFunction: FormulaFunction = {
  name: 'FORMATDURATION',
  signature: 'FORMATDURATION(seconds[, days]), FORMATDURATION(from, to)',
  result: 'Text',
  description:
    'A duration as `HH:MM:SS`, or with days as `D:HH:MM:SS`: of a number of seconds, or between two times or two datetimes.',
  parameters: [
    ['Number', 'Time', 'DateTime'],
    ['Boolean', 'Time', 'DateTime'],
  ],
  optional: 1,
  make({ args, label }) {
    const [first, second] = args as [Expression, Expression?]
    const expected = first.type === 'Number' ? 'Boolean' : first.type
    if ((second?.type ?? 'Boolean') !== expected && second?.type !== 'Null') {
      throw new FormulaError(
        `Incorrect parameter type for ${label}. Expected ${expected}, received ${second!.type}`,
        second!.at,
      )
    }
    const operation =
      first.type === 'Number' ? durationOfNumber : durationBetween(first.type as 'Time' | 'DateTime')
    return { type: 'Text', facts: { length: 30 }, operation }
  },
}
