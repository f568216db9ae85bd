import type { NamedDateLiteral } from '../parse/literal.ts'

/** What a named date literal depends on. */
export interface Calendar {
  /** The day it is for the user: `2026-11-20`. */
  readonly today: string
  /** 1 to 12. */
  readonly fiscalStartMonth: number
}

/** Days from `start` on, up to but without `end`. (docs/reference/api/queries.md#dates) */
export interface DayRange {
  readonly start: string
  readonly end: string
}

/** A day as the number of days since 1970, so that it can be counted with. */
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000
/** Nothing is compared with days outside the years of four digits: these stand for all that is beyond. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'] as const

function dayText(number: number): string {
  const within = Math.min(Math.max(number, dayNumber(FIRST_DAY)), dayNumber(LAST_DAY))
  return new Date(within * 86_400_000).toISOString().slice(0, 10)
}

/** The first day of a month, counted from January of year 0. */
function firstOfMonth(month: number): string {
  const year = Math.floor(month / 12)
  if (year < 1) return FIRST_DAY
  if (year > 9999) return LAST_DAY
  return `${String(year).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
}

const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR' | 'FISCAL_QUARTER' | 'FISCAL_YEAR'

/**
 * The first day of the unit that is `offset` units away from the one that today is in. Weeks start on Sunday; fiscal
 * units start with the fiscal year's first month.
 */
function startOf(unit: Unit, offset: number, { today, fiscalStartMonth }: Calendar): string {
  if (unit === 'DAY') return dayText(dayNumber(today) + offset)
  if (unit === 'WEEK') {
    const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
    return dayText(dayNumber(today) - weekday + offset * 7)
  }
  const length = unit === 'MONTH' ? 1 : unit.endsWith('QUARTER') ? 3 : 12
  const shift = unit.startsWith('FISCAL') ? fiscalStartMonth - 1 : 0
  const index = Math.floor((monthOf(today) - shift) / length) + offset
  return firstOfMonth(index * length + shift)
}

/** From the unit `first` away to the one `last` away, both included. */
const units = (unit: Unit, first: number, last: number, calendar: Calendar): DayRange => ({
  start: startOf(unit, first, calendar),
  end: startOf(unit, last + 1, calendar),
})

/** Of datetimes, the last days end now and not at midnight. (docs/reference/api/queries.md#dates) */
export const endsNow = ({ name }: Pick<NamedDateLiteral, 'name'>) =>
  name === 'LAST_90_DAYS' || name === 'LAST_N_DAYS'

const FIXED = /^(LAST|THIS|NEXT)_(WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)$/
const COUNTED = /^(LAST|NEXT)_N_(DAY|WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)S$/
const AGO = /^N_(DAY|WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)S_AGO$/

const AWAY = { LAST: -1, THIS: 0, NEXT: 1 } as const

/**
 * The days that a named literal means. Only the `LAST_..._DAYS` ones include the unit that is under way.
 * (docs/reference/api/queries.md#dates)
 */
export function dayRange(
  { name, n = 0 }: Pick<NamedDateLiteral, 'name' | 'n'>,
  calendar: Calendar,
): DayRange {
  switch (name) {
    case 'YESTERDAY':
      return units('DAY', -1, -1, calendar)
    case 'TODAY':
      return units('DAY', 0, 0, calendar)
    case 'TOMORROW':
      return units('DAY', 1, 1, calendar)
    case 'LAST_90_DAYS':
      return units('DAY', -90, 0, calendar)
    case 'NEXT_90_DAYS':
      return units('DAY', 1, 90, calendar)
    case 'LAST_N_DAYS':
      return units('DAY', -n, 0, calendar)
  }
  const fixed = FIXED.exec(name)
  if (fixed !== null) {
    const away = AWAY[fixed[1] as keyof typeof AWAY]
    return units(fixed[2] as Unit, away, away, calendar)
  }
  const counted = COUNTED.exec(name)
  if (counted !== null) {
    const unit = counted[2] as Unit
    return counted[1] === 'LAST' ? units(unit, -n, -1, calendar) : units(unit, 1, n, calendar)
  }
  const unit = AGO.exec(name)![1] as Unit
  return units(unit, -n, -n, calendar)
}
