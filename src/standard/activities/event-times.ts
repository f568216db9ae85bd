import { hasChange } from '../../base/api-version.ts'
import { integrityError, missingError } from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'

const MINUTE = 60_000
const MINUTES_OF_DAY = 1440
/** Two weeks. */
const MAX_MINUTES = 14 * MINUTES_OF_DAY

/** Fields that say when an event is. */
export const EVENT_TIMES = [
  'StartDateTime',
  'ActivityDateTime',
  'ActivityDate',
  'DurationInMinutes',
  'EndDateTime',
]

const getText = (record: DerivedRecord, name: string) => record.get(name) as string | null

/** A value that this write gives. */
const getGiven = (record: DerivedRecord, name: string) =>
  record.isGiven(name) ? getText(record, name) : null

const toText = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`

const mismatch = (name: string) => integrityError(`${name} does not fit the other times of the event`, name)

/** The day or time at which an event begins: as this write says it in one of several fields, else as it was. */
function findStart(record: DerivedRecord, isAllDay: boolean): number | null {
  const times = ['StartDateTime', 'ActivityDateTime'].map((name) => getGiven(record, name))
  const day = getGiven(record, 'ActivityDate')
  const [first, second] = times as [string | null, string | null]
  if (first !== null && second !== null && first !== second) throw mismatch('ActivityDateTime')
  const time = first ?? second
  if (day !== null && time !== null && time.slice(0, 10) !== day) throw mismatch('ActivityDate')
  if (isAllDay) {
    const chosen = day ?? time?.slice(0, 10) ?? (record.was('ActivityDate') as string | null)
    return chosen === null ? null : Date.parse(`${chosen}T00:00:00Z`)
  }
  const before = (record.was('StartDateTime') ?? record.was('ActivityDateTime')) as string | null
  // Another day alone moves the event to it, at the same time of the day.
  const chosen = time ?? (day === null || before === null ? before : `${day}${before.slice(10)}`)
  return chosen === null ? null : Date.parse(chosen)
}

/** Minutes of whole days, and of one at least. */
const toWholeDays = (minutes: number) => Math.max(Math.ceil(minutes / MINUTES_OF_DAY), 1) * MINUTES_OF_DAY

/** How long an event is: as this write says it by its end or in minutes, else as it was; an all-day event takes whole days, or one. */
function findMinutes(record: DerivedRecord, start: number, isAllDay: boolean): number {
  const given = record.isGiven('DurationInMinutes')
    ? (record.get('DurationInMinutes') as number | null)
    : null
  const { isRecomputed } = record.facts
  const stored = isRecomputed && record.was('DurationInMinutes') === null
  const end = stored ? getText(record, 'EndDateTime') : getGiven(record, 'EndDateTime')
  const untilEnd = end === null ? null : Math.round((Date.parse(end) - start) / MINUTE)
  const before = record.was('DurationInMinutes') as number | null
  if ([given, untilEnd].some((minutes) => minutes !== null && minutes < 0))
    throw integrityError('An event cannot end before it begins', 'EndDateTime')
  // Earlier versions stored parts of days, which clients may have meant.
  const round = (minutes: number) => (isAllDay && !isRecomputed ? toWholeDays(minutes) : minutes)
  if (given !== null && untilEnd !== null && round(given) !== round(untilEnd))
    throw mismatch('DurationInMinutes')
  const found = given ?? untilEnd ?? before
  if (found !== null) return round(found)
  if (isAllDay) return MINUTES_OF_DAY
  const { version } = record.facts
  const isOld = version !== undefined && !hasChange(version, 'eventEndInErrors')
  throw missingError([isOld || record.isGiven('DurationInMinutes') ? 'DurationInMinutes' : 'EndDateTime'])
}

/** Start, end, days and duration, each by the others. Times are in UTC. */
export function deriveEventTimes(record: DerivedRecord): void {
  const isAllDay = record.get('IsAllDayEvent') === true
  const start = findStart(record, isAllDay)
  if (start === null) {
    // An event that earlier versions stored without its times.
    if (!record.isNew) return
    throw missingError([isAllDay ? 'ActivityDate' : 'StartDateTime'])
  }
  const minutes = findMinutes(record, start, isAllDay)
  if (minutes > MAX_MINUTES)
    throw integrityError('An event cannot take longer than 14 days', 'DurationInMinutes')
  const end = start + minutes * MINUTE
  record.set('StartDateTime', toText(start))
  record.set('ActivityDateTime', toText(start))
  record.set('ActivityDate', toText(start).slice(0, 10))
  record.set('DurationInMinutes', minutes)
  record.set('EndDateTime', toText(end))
  // A whole day ends at midnight, and is still that day.
  record.set('EndDate', toText(isAllDay && minutes > 0 ? end - MINUTE : end).slice(0, 10))
}
