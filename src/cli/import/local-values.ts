import { isDay } from '../../schema/fields/date.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { UsageError } from '../command/exit-codes.ts'
import type { ImportFlags } from './import-flags.ts'

/** A kind of value as a file writes it. */
interface LocalForm {
  /** As the interface takes it; undefined: the cell is not of the form. */
  read(cell: string): string | undefined
  /** What a cell has to be. */
  readonly wanted: string
}

export type LocalForms = (type: string) => LocalForm | undefined

const DATE_PARTS: Readonly<Record<string, string>> = {
  yyyy: String.raw`(?<year>\d{4})`,
  MM: String.raw`(?<month>\d{2})`,
  M: String.raw`(?<month>\d{1,2})`,
  dd: String.raw`(?<day>\d{2})`,
  d: String.raw`(?<day>\d{1,2})`,
}

function makeDateForm(format: string): LocalForm {
  const parts = format.split(/(yyyy|MM?|dd?)/)
  const kinds = parts.filter((part) => part in DATE_PARTS).map((part) => part[0])
  if (kinds.toSorted().join('') !== 'Mdy' || parts.some((part) => !(part in DATE_PARTS) && /\w/.test(part)))
    throw new UsageError('--dates needs a year, a month and a day as yyyy, MM or M, dd or d: dd.MM.yyyy')
  const pattern = new RegExp(
    `^${parts.map((part) => DATE_PARTS[part] ?? part.replace(/\W/g, '\\$&')).join('')}$`,
  )
  return {
    wanted: `a date as ${format}`,
    read(cell) {
      const { year, month, day } = pattern.exec(cell)?.groups ?? {}
      const text = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
      return isDay(text) ? text : undefined
    },
  }
}

function makeNumberForm(mark: string): LocalForm {
  if (mark !== ',' && mark !== '.') throw new UsageError('--decimal is , or .')
  const other = mark === ',' ? '.' : ','
  // Groups of three are between the other mark, blanks or apostrophes.
  const pattern = new RegExp(
    `^[+-]?(?:\\d+|\\d{1,3}(?:([${other}\\s'’])\\d{3})(?:\\1\\d{3})*)(?:[${mark}]\\d+)?$`,
  )
  return {
    wanted: `a number as ${mark === ',' ? '1.234,5' : '1,234.5'}`,
    read: (cell) =>
      pattern.test(cell)
        ? cell
            .replace(mark, '_')
            .replace(/[^\d_+-]/g, '')
            .replace('_', '.')
        : undefined,
  }
}

function makeBooleanForm(words: string): LocalForm {
  const [yes, no, ...more] = words.toLowerCase().split('/')
  if (!yes || !no || yes === no || more.length > 0)
    throw new UsageError('--booleans needs the words for true and false: ja/nein')
  const values = new Map([
    [yes, 'true'],
    [no, 'false'],
  ])
  return { wanted: words.replace('/', ' or '), read: (cell) => values.get(cell.toLowerCase()) }
}

const NUMBERS: ReadonlySet<string> = new Set(['double', 'currency', 'percent', 'int'])

/**
 * How the values of a type of fields are written in a file, where the person at the terminal says so.
 * @throws UsageError
 */
export function makeLocalForms({ dates, decimal, booleans }: ImportFlags): LocalForms {
  const date = dates === undefined ? undefined : makeDateForm(dates)
  const number = decimal === undefined ? undefined : makeNumberForm(decimal)
  const boolean = booleans === undefined ? undefined : makeBooleanForm(booleans)
  return (type) => {
    const said = NUMBERS.has(type) ? number : { date, boolean }[type]
    const { readText } = FIELD_TYPES[type as keyof typeof FIELD_TYPES] ?? {}
    return said ?? (readText && { wanted: type, read: readText })
  }
}
