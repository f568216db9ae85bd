import { EvaluationError } from '../language/formula-error.ts'

/** Dates as days, and datetimes as seconds, since 1970-01-01, in the Gregorian calendar. */

export const DAY_SECONDS = 86_400
export const DAY_MILLISECONDS = 86_400_000
/** 0001-01-01 and 9999-12-31. */
const FIRST_DAY = -719_162
const LAST_DAY = 2_932_896

export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

export function toDays(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return Math.round(date.getTime() / DAY_MILLISECONDS)
}

export function toCivil(days: number): CivilDate {
  const date = new Date(days * DAY_MILLISECONDS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** 0 is Sunday. */
export const dayOfWeek = (days: number): number => (((days + 4) % 7) + 7) % 7

const daysInMonth = (year: number, month: number): number => toCivil(toDays(year, month + 1, 0)).day

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

export function formatDate(days: number): string {
  const { year, month, day } = toCivil(days)
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`
}

/** `10:15:00.000` */
export function formatTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(milliseconds % 1000, 3)}`
}

export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)
export const secondOfDay = (seconds: number): number => seconds - dayOf(seconds) * DAY_SECONDS

/** `2026-11-24 05:06:07` in UTC. */
export const formatDateTime = (seconds: number): string =>
  `${formatDate(dayOf(seconds))} ${formatTime(secondOfDay(seconds) * 1000).slice(0, 8)}`

/** @throws EvaluationError when the date is not in the years 1 to 9999 */
export function checkDays(days: number): number {
  if (days >= FIRST_DAY && days <= LAST_DAY) return days
  throw new EvaluationError('The date is not between the years 1 and 9999')
}

/** @throws EvaluationError */
export function checkSeconds(seconds: number): number {
  checkDays(dayOf(seconds))
  return seconds
}

/** @throws EvaluationError when there is no such day */
export function makeDate(year: number, month: number, day: number): number {
  if (year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)) {
    return toDays(year, month, day)
  }
  throw new EvaluationError(
    `There is no date ${pad(year, 4)}-${pad(month)}-${pad(day)}`,
    'There is no such date',
  )
}

/** The day some months later: the last day of a month leads to the last day, others to the same day or the last one before it. */
export function addMonths(days: number, months: number): number {
  const { year, month, day } = toCivil(days)
  const isLast = day === daysInMonth(year, month)
  const index = year * 12 + month - 1 + months
  const [toYear, toMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1]
  if (toYear < 1 || toYear > 9999) throw new EvaluationError('The date is not between the years 1 and 9999')
  const last = daysInMonth(toYear, toMonth)
  return toDays(toYear, toMonth, isLast ? last : Math.min(day, last))
}

/** Year and week by ISO 8601: the week of a day is that of its Thursday. */
export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days + 3 - ((dayOfWeek(days) + 6) % 7)
  const { year } = toCivil(thursday)
  return { year, week: Math.floor((thursday - toDays(year, 1, 1)) / 7) + 1 }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date in a time zone. */
export function dayInZone(seconds: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory', {
      timeZone,
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(
    format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
  )
  return toDays(Number(parts.year), Number(parts.month), Number(parts.day))
}
