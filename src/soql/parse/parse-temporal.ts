import type { ApiError } from '../../base/api-error.ts'
import type { DateLiteral, DateTimeLiteral, TimeLiteral } from './literal.ts'
import { malformedQuery } from './query-error.ts'
import type { Token } from './token.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const CLOCK = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))$/i
const FIRST_YEAR = 1700
const LAST_YEAR = 4000
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/** `2024-05-01`. (docs/reference/api/queries.md#dates) */
export function parseDate({ text, at }: Token): DateLiteral {
  if (parseDayStart(text) === undefined) throw invalidLiteral('date', text)
  return { kind: 'date', value: text, at }
}

/** `2024-05-01T10:00:00Z`, `…+02:00`, `…-0800`, with any fraction. (docs/reference/api/queries.md#dates) */
export function parseDateTime({ text, at }: Token): DateTimeLiteral {
  const start = text[10] === 'T' || text[10] === 't' ? parseDayStart(text.slice(0, 10)) : undefined
  const clock = parseClockTime(text.slice(11))
  if (start === undefined || clock === undefined) throw invalidLiteral('datetime', text)
  return { kind: 'datetime', value: new Date(start + clock).toISOString(), at }
}

/** `09:30:00Z`; an offset may move it past midnight, and the day is dropped. (docs/reference/api/queries.md#dates) */
export function parseTime({ text, at }: Token): TimeLiteral {
  const clock = parseClockTime(text)
  if (clock === undefined) throw invalidLiteral('time', text)
  return { kind: 'time', value: new Date((clock + DAY_MS) % DAY_MS).toISOString().slice(11), at }
}

/** The start of a day in milliseconds since 1970; undefined if the day does not exist or cannot be stored. */
function parseDayStart(text: string): number | undefined {
  const match = DATE.exec(text)
  if (match === null) return
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < FIRST_YEAR || year > LAST_YEAR) return
  const start = Date.UTC(year, month - 1, day)
  // `Date.UTC` turns a day that does not exist into another one.
  return new Date(start).toISOString().startsWith(text) ? start : undefined
}

/** Milliseconds since midnight in UTC; the offset may make them negative or longer than a day. */
function parseClockTime(text: string): number | undefined {
  const match = CLOCK.exec(text)
  if (match === null) return
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [zoneHour, zoneMinute] = [Number(match[6] ?? 0), Number(match[7] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return
  const fraction = Number((match[4] ?? '').slice(0, 3).padEnd(3, '0'))
  const zone = (match[5] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute)
  return (hour * 60 + minute - zone) * MINUTE_MS + second * 1000 + fraction
}

function invalidLiteral(what: string, text: string): ApiError {
  return malformedQuery(`Invalid ${what}: ${text}`)
}
