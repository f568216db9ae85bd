import type { FiscalYear } from '../../../src/base/fiscal-year.ts'
import { getOrInsert } from '../../../src/base/get-or-insert.ts'
import type { DateFunction } from '../../../src/soql/parse/function-names.ts'
import type { Filter } from '../../../src/soql/plan/plan.ts'
import type { Asker } from './world.ts'

type NamedDays = (Filter & { kind: 'days' })['literal']

interface LocalTime {
  readonly day: string
  readonly hour: number
}

const HOUR_OF_DAY = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
} as const
const formats = new Map<string, Intl.DateTimeFormat>()
const times = new Map<string, LocalTime>()

/** The day and the hour that it is somewhere at a moment. */
export function localTime(timestamp: Date, timeZone: string): LocalTime {
  return getOrInsert(times, `${timestamp.getTime()} ${timeZone}`, () => {
    const makeFormat = () => new Intl.DateTimeFormat('en-CA', { timeZone, ...HOUR_OF_DAY })
    const parts = getOrInsert(formats, timeZone, makeFormat).formatToParts(timestamp)
    const { year, month, day, hour } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
    return { day: `${year}-${month}-${day}`, hour: Number(hour) }
  })
}

const daysSince1970 = (day: string) => Math.round(Date.parse(day) / 86_400_000)

/** Which day, week, month, ... it is, counted through without a gap. */
function ordinal(unit: string, day: string, { fiscalYear, weekStart }: Asker): number {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  switch (unit) {
    case 'DAY':
      return daysSince1970(day)
    case 'WEEK':
      // 1970 began on a Thursday, four days after a Sunday.
      return Math.floor((daysSince1970(day) + 4 - weekStart) / 7)
    case 'MONTH':
      return months
    case 'QUARTER':
      return Math.floor(months / 3)
    case 'YEAR':
      return Math.floor(months / 12)
    case 'FISCAL_QUARTER':
      return Math.floor((months - fiscalYear.startMonth + 1) / 3)
    default:
      return Math.floor((months - fiscalYear.startMonth + 1) / 12)
  }
}

/**
 * The unit of a named literal, and how many of them it begins and ends away from now. (docs/reference/api/queries.md#dates)
 */
function getSpan({ name, n = 0 }: NamedDays): { unit: string; first: number; last: number } {
  const days = (first: number, last: number) => ({ unit: 'DAY', first, last })
  if (name === 'YESTERDAY') return days(-1, -1)
  if (name === 'TODAY') return days(0, 0)
  if (name === 'TOMORROW') return days(1, 1)
  if (name === 'LAST_90_DAYS') return days(-90, 0)
  if (name === 'NEXT_90_DAYS') return days(1, 90)
  if (name === 'LAST_N_DAYS') return days(-n, 0)
  const unit = name.replace(/^(LAST|THIS|NEXT)_(N_)?|^N_/g, '').replace(/S(_AGO)?$/, '')
  if (name.endsWith('_AGO')) return { unit, first: -n, last: -n }
  if (name.startsWith('LAST_N_')) return { unit, first: -n, last: -1 }
  if (name.startsWith('NEXT_N_')) return { unit, first: 1, last: n }
  const away = name.startsWith('LAST') ? -1 : name.startsWith('THIS') ? 0 : 1
  return { unit, first: away, last: away }
}

/** Returns on which side of the days of a named literal a day is. */
export function findLocation(
  day: string,
  literal: NamedDays,
  asker: Asker,
): { readonly before: boolean; readonly after: boolean } {
  const { unit, first, last } = getSpan(literal)
  const today = localTime(asker.now, asker.timeZone).day
  const away = ordinal(unit, day, asker) - ordinal(unit, today, asker)
  return { before: away < first, after: away > last }
}

/** A part of a day, and of the hour within it. (docs/reference/api/queries.md#parts-of-dates) */
export function getPart(
  part: DateFunction,
  day: string,
  hour: number,
  { startMonth, isNamedByStart }: FiscalYear,
): number | string {
  const [year, month, dayInMonth] = day.split('-').map(Number) as [number, number, number]
  const dayInYear = daysSince1970(day) - daysSince1970(`${day.slice(0, 4)}-01-01`) + 1
  const fiscalMonth = ((month - startMonth + 12) % 12) + 1
  switch (part) {
    case 'CALENDAR_YEAR':
      return year
    case 'CALENDAR_QUARTER':
      return Math.ceil(month / 3)
    case 'CALENDAR_MONTH':
      return month
    case 'DAY_IN_MONTH':
      return dayInMonth
    case 'DAY_IN_WEEK':
      return new Date(day).getUTCDay() + 1
    case 'DAY_IN_YEAR':
      return dayInYear
    case 'DAY_ONLY':
      return day
    case 'HOUR_IN_DAY':
      return hour
    case 'WEEK_IN_MONTH':
      return Math.ceil(dayInMonth / 7)
    case 'WEEK_IN_YEAR':
      return Math.ceil(dayInYear / 7)
    case 'FISCAL_MONTH':
      return fiscalMonth
    case 'FISCAL_QUARTER':
      return Math.ceil(fiscalMonth / 3)
    case 'FISCAL_YEAR':
      if (startMonth === 1) return year
      if (isNamedByStart) return month < startMonth ? year - 1 : year
      return month < startMonth ? year : year + 1
  }
}
