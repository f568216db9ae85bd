import { ApiError } from '../../base/api-error.ts'
import type { DateLiteral, DateTimeLiteral, TimeLiteral } from './literal.ts'
import type { Token } from './token.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const CLOCK = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))$/i
const FIRST_YEAR = 1700
const LAST_YEAR = 4000
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** `2024-05-01`. (docs/reference/api/queries.md#dates) */
export function parseDate({ text, at }: Token): DateLiteral {
  if (dayStart(text) === undefined) throw invalid('date', text)
  return { kind: 'date', value: text, at }
}

/** `2024-05-01T10:00:00Z`, `…+02:00`, `…-0800`, with any fraction. (docs/reference/api/queries.md#dates) */
export function parseDateTime({ text, at }: Token): DateTimeLiteral {
  const start = text[10] === 'T' || text[10] === 't' ? dayStart(text.slice(0, 10)) : undefined
  const clock = clockTime(text.slice(11))
  if (start === undefined || clock === undefined) throw invalid('datetime', text)
  return { kind: 'datetime', value: new Date(start + clock).toISOString(), at }
}

/** `09:30:00Z`; a zone may move it over midnight, where the day is lost. (docs/reference/api/queries.md#dates) */
export function parseTime({ text, at }: Token): TimeLiteral {
  const clock = clockTime(text)
  if (clock === undefined) throw invalid('time', text)
  return { kind: 'time', value: new Date((clock + DAY) % DAY).toISOString().slice(11), at }
}

/** The first millisecond of a day that exists and can be stored. */
function dayStart(text: string): number | undefined {
  const match = DATE.exec(text)
  if (match === null) return
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < FIRST_YEAR || year > LAST_YEAR) return
  const start = Date.UTC(year, month - 1, day)
  // A day that does not exist runs over into another one.
  return new Date(start).toISOString().startsWith(text) ? start : undefined
}

/** Milliseconds since midnight in UTC; the zone may move them out of the day on either side. */
function clockTime(text: string): number | undefined {
  const match = CLOCK.exec(text)
  if (match === null) return
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [zoneHour, zoneMinute] = [Number(match[6] ?? 0), Number(match[7] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return
  const fraction = Number((match[4] ?? '').slice(0, 3).padEnd(3, '0'))
  const zone = (match[5] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute)
  return (hour * 60 + minute - zone) * MINUTE + second * 1000 + fraction
}

function invalid(what: string, text: string): ApiError {
  return new ApiError('MALFORMED_QUERY', `Invalid ${what}: ${text}`)
}
