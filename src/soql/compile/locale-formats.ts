import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../base/get-or-insert.ts'

/** Formats of values by what they are for. Making one takes as long as using it a hundred times. */
export interface LocaleFormats {
  readonly number: Intl.NumberFormat
  readonly currency: Intl.NumberFormat
  readonly date: Intl.DateTimeFormat
  readonly dateTime: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
}

const TIMESTAMP = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const

function makeFormats(locale: string, timeZone: string): LocaleFormats {
  return {
    number: new Intl.NumberFormat(locale),
    currency: new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }),
    date: new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }),
    dateTime: new Intl.DateTimeFormat(locale, { ...TIMESTAMP, timeZone }),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }),
  }
}

/** Pairs of a locale and a time zone whose formats are kept; users have many more of them than an org has. */
const MAX_KEPT = 100

const kept = new LRUCache<string, LocaleFormats>({ max: MAX_KEPT })

/** @param locale as the browser names it: `en-US` */
export function getFormats(locale: string, timeZone: string): LocaleFormats {
  const key = `${locale} ${timeZone}`
  return getOrInsert<string, LocaleFormats>(kept, key, () => makeFormats(locale, timeZone))
}
