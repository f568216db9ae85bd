import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../base/get-or-insert.ts'

/** Formatters for a locale. Creating one costs as much as using it a hundred times. */
interface LocaleFormats {
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

/** Cached pairs of locale and time zone. Bounded, because users choose from thousands of pairs. */
const MAX_CACHED = 100

const cache = new LRUCache<string, LocaleFormats>({ max: MAX_CACHED })

/** @param locale as a BCP 47 tag: `en-US` */
export function getFormats(locale: string, timeZone: string): LocaleFormats {
  const key = `${locale} ${timeZone}`
  return getOrInsert<string, LocaleFormats>(cache, key, () => makeFormats(locale, timeZone))
}
