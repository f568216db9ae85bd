import { LRUCache } from 'lru-cache'
import { asDecimal, withoutText } from '../../base/decimal-json.ts'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { readTimestamp } from '../../schema/fields/datetime.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { DisplayFormat } from '../../schema/fields/field-type.ts'
import type { DecodeContext } from '../../schema/snapshot/record-format.sql.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { Operand, Presentation } from '../plan/plan.ts'

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
function getFormats(locale: string, timeZone: string): LocaleFormats {
  const key = `${locale} ${timeZone}`
  return getOrInsert<string, LocaleFormats>(cache, key, () => makeFormats(locale, timeZone))
}

/** The field whose values an operand returns: its own, or the argument of MIN and MAX. */
function findValueField(operand: Operand): Field | undefined {
  if (operand.kind === 'field') return operand.field
  if (operand.kind === 'aggregate' && operand.function !== 'COUNT' && operand.function !== 'COUNT_DISTINCT') {
    return operand.of?.field
  }
  return undefined
}

/** True if a number that an operand returns may have a fraction. */
function isDecimal(operand: Operand): boolean {
  if (operand.kind === 'distance') return true
  if (operand.kind === 'aggregate' && operand.function === 'AVG') return true
  return findValueField(operand)?.type.decimal === true
}

/** The labels of a picklist by its values. Of entries with the same value the first counts. */
const getLabels = oncePer(
  ({ picklist }: Field) => new Map(picklist.toReversed().map(({ value, label }) => [value, label])),
)

/** The label of a picklist value; of each value of a multi-select picklist. */
export function getLabel(field: Field, value: string): string {
  const known = getLabels(field)
  const label = (part: string) => known.get(part) ?? part
  return value.split(';').map(label).join(';')
}

const bcp47 = (locale: string) => locale.replaceAll('_', '-')

/** Formats a value in the user's locale, with plain spaces. (docs/reference/api/queries.md#functions) */
export function formatValue(
  format: DisplayFormat | undefined,
  value: Exclude<ColumnValue, null>,
  decodeContext: DecodeContext,
): string {
  return formatInLocale(format, value, decodeContext).replaceAll(/[\u00a0\u202f]/g, ' ')
}

function formatInLocale(
  format: DisplayFormat | undefined,
  value: Exclude<ColumnValue, null>,
  decodeContext: DecodeContext,
): string {
  const formats = getFormats(bcp47(decodeContext.locale ?? 'en_US'), decodeContext.timeZone ?? 'UTC')
  switch (format) {
    case 'currency':
      return formats.currency.format(Number(value))
    case 'percent':
      return `${formats.number.format(Number(value))}%`
    case 'date':
      return formats.date.format(new Date(`${value}T00:00:00Z`))
    case 'dateTime':
      return formats.dateTime.format(Date.parse(readTimestamp(String(value))))
    case 'time':
      return formats.time.format(new Date(`1970-01-01T${String(value).slice(0, 8)}Z`))
  }
  return typeof value === 'number' ? formats.number.format(value) : String(value)
}

/** A selected value in its presentation. */
export function presentValue(
  operand: Operand,
  presentation: Presentation,
  value: ColumnValue,
  decodeContext: DecodeContext,
): unknown {
  if (value === null) return null
  const field = findValueField(operand)
  if (presentation !== 'plain' && field?.type.writeText !== undefined) return field.type.writeText(value)
  if (presentation === 'format') return formatValue(field?.type.displayedAs, value, decodeContext)
  if (presentation === 'label' && field !== undefined) return getLabel(field, String(value))
  if (decodeContext.hasNumbers !== true && typeof value === 'number' && isDecimal(operand))
    return asDecimal(value)
  if (field?.type.read === undefined) return value
  const shown = field.type.read(value, '', field)
  return decodeContext.hasNumbers === true ? withoutText(shown) : shown
}
