import type { FiscalYear } from '../../base/fiscal-year.ts'
import type { NamedDateLiteral } from '../parse/literal.ts'

/** Settings on which the meaning of a named date literal depends. */
interface Calendar {
  /** Current date in the user's time zone: `2026-11-20`. */
  readonly today: string
  /** That of the org. */
  readonly fiscalYear: Pick<FiscalYear, 'startMonth'>
  /** First day of the user's weeks, 0 (Sunday) to 6. */
  readonly weekStart: number
}

/** The days from `start` to `end`, without `end`. (docs/reference/api/queries.md#dates) */
interface DayRange {
  readonly start: string
  readonly end: string
}

/** The number of days since 1970. */
const toDayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000
/** Ranges are clamped to years of four digits. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'] as const

function toDayText(number: number): string {
  const within = Math.min(Math.max(number, toDayNumber(FIRST_DAY)), toDayNumber(LAST_DAY))
  return new Date(within * 86_400_000).toISOString().slice(0, 10)
}

/** The first day of a month; `month` counts from January of year 0. */
function getFirstOfMonth(month: number): string {
  const year = Math.floor(month / 12)
  if (year < 1) return FIRST_DAY
  if (year > 9999) return LAST_DAY
  return `${String(year).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
}

const getMonthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR' | 'FISCAL_QUARTER' | 'FISCAL_YEAR'

/**
 * The first day of the unit `offset` units after the current one. Weeks start as in the user's locale; fiscal
 * units start with the fiscal year's first month.
 */
function getUnitStart(unit: Unit, offset: number, calendar: Calendar): string {
  const { today } = calendar
  if (unit === 'DAY') return toDayText(toDayNumber(today) + offset)
  if (unit === 'WEEK') {
    const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
    return toDayText(toDayNumber(today) - ((weekday - calendar.weekStart + 7) % 7) + offset * 7)
  }
  const { startMonth } = calendar.fiscalYear
  const length = unit === 'MONTH' ? 1 : unit.endsWith('QUARTER') ? 3 : 12
  const shift = unit.startsWith('FISCAL') ? startMonth - 1 : 0
  const index = Math.floor((getMonthNumber(today) - shift) / length) + offset
  return getFirstOfMonth(index * length + shift)
}

/** The range from unit offset `first` to `last`, both included. */
const makeRange = (unit: Unit, first: number, last: number, calendar: Calendar): DayRange => ({
  start: getUnitStart(unit, first, calendar),
  end: getUnitStart(unit, last + 1, calendar),
})

/** For datetimes, these ranges end now instead of at midnight. (docs/reference/api/queries.md#dates) */
export const endsNow = ({ name }: Pick<NamedDateLiteral, 'name'>) =>
  name === 'LAST_90_DAYS' || name === 'LAST_N_DAYS'

const FIXED = /^(LAST|THIS|NEXT)_(WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)$/
const COUNTED = /^(LAST|NEXT)_N_(DAY|WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)S$/
const AGO = /^N_(DAY|WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)S_AGO$/

const OFFSETS = { LAST: -1, THIS: 0, NEXT: 1 } as const

/**
 * The days that a named literal means. Only `LAST_..._DAYS` include the current unit.
 * (docs/reference/api/queries.md#dates)
 */
export function getDayRange(
  { name, n = 0 }: Pick<NamedDateLiteral, 'name' | 'n'>,
  calendar: Calendar,
): DayRange {
  switch (name) {
    case 'YESTERDAY':
      return makeRange('DAY', -1, -1, calendar)
    case 'TODAY':
      return makeRange('DAY', 0, 0, calendar)
    case 'TOMORROW':
      return makeRange('DAY', 1, 1, calendar)
    case 'LAST_90_DAYS':
      return makeRange('DAY', -90, 0, calendar)
    case 'NEXT_90_DAYS':
      return makeRange('DAY', 1, 90, calendar)
    case 'LAST_N_DAYS':
      return makeRange('DAY', -n, 0, calendar)
  }
  const fixed = FIXED.exec(name)
  if (fixed !== null) {
    const offset = OFFSETS[fixed[1] as keyof typeof OFFSETS]
    return makeRange(fixed[2] as Unit, offset, offset, calendar)
  }
  const counted = COUNTED.exec(name)
  if (counted !== null) {
    const unit = counted[2] as Unit
    return counted[1] === 'LAST' ? makeRange(unit, -n, -1, calendar) : makeRange(unit, 1, n, calendar)
  }
  const unit = AGO.exec(name)![1] as Unit
  return makeRange(unit, -n, -n, calendar)
}
