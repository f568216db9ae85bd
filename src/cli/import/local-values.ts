import { isDay } from '../../schema/fields/date.ts'
import type { LiteralKind } from '../../schema/fields/field-type.ts'
import { findDescribedType } from '../../schema/fields/registry.ts'
import { UsageError } from '../command/exit-codes.ts'
import type { ImportFlags } from './import-flags.ts'

/** A kind of value as a file writes it. */
interface LocalForm {
  /** As the interface takes it; undefined: the cell is not of the form. */
  read(cell: string): unknown
  /** The form that a cell must have, in words. */
  readonly wanted: string
}

export type LocalForms = (type: string) => LocalForm | undefined

/** Digits of the parts of a date. */
const DATE_PARTS: Readonly<Record<string, RegExp>> = {
  yyyy: /\d{4}/y,
  MM: /\d{2}/y,
  M: /\d{1,2}/y,
  dd: /\d{2}/y,
  d: /\d{1,2}/y,
}

/**
 * The digits of the year, month and day of a text.
 * @param parts of the form, those of a date and what stands between them
 * @returns undefined if the text is not of the form
 */
function readParts(parts: readonly string[], text: string): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = {}
  let at = 0
  for (const part of parts) {
    const digits = DATE_PARTS[part]
    if (digits === undefined) {
      if (!text.startsWith(part, at)) return undefined
      at += part.length
      continue
    }
    digits.lastIndex = at
    const [given] = digits.exec(text) ?? []
    if (given === undefined) return undefined
    found[part[0]!] = given
    at += given.length
  }
  return at === text.length ? found : undefined
}

function makeDateForm(format: string): LocalForm {
  const parts = format.split(/(yyyy|MM?|dd?)/)
  const kinds = parts.filter((part) => part in DATE_PARTS).map((part) => part[0])
  if (kinds.toSorted().join('') !== 'Mdy' || parts.some((part) => !(part in DATE_PARTS) && /\w/.test(part)))
    throw new UsageError('--dates needs a year, a month and a day as yyyy, MM or M, dd or d: dd.MM.yyyy')
  return {
    wanted: `a date as ${format}`,
    read(cell) {
      const { y: year, M: month, d: day } = readParts(parts, cell) ?? {}
      const text = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
      return isDay(text) ? text : undefined
    },
  }
}

/** By the mark before the fraction. Groups of three are between the other mark, blanks or apostrophes. */
const LOCAL_NUMBERS: Readonly<Record<string, { readonly pattern: RegExp; readonly example: string }>> = {
  ',': { pattern: /^[+-]?(?:\d+|\d{1,3}([.\s'’])\d{3}(?:\1\d{3})*)(?:,\d+)?$/, example: '1.234,5' },
  '.': { pattern: /^[+-]?(?:\d+|\d{1,3}([,\s'’])\d{3}(?:\1\d{3})*)(?:\.\d+)?$/, example: '1,234.5' },
}

function makeNumberForm(mark: string): LocalForm {
  const form = Object.hasOwn(LOCAL_NUMBERS, mark) ? LOCAL_NUMBERS[mark] : undefined
  if (form === undefined) throw new UsageError('--decimal is , or .')
  return {
    wanted: `a number as ${form.example}`,
    read(cell) {
      if (!form.pattern.test(cell)) return undefined
      const [whole, fraction] = cell.split(mark)
      const digits = whole!.replace(/[^\d+-]/g, '')
      return fraction === undefined ? digits : `${digits}.${fraction}`
    },
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

/**
 * How the values of a type of fields are written in a file, where the person at the terminal says so.
 * @throws UsageError
 */
export function makeLocalForms({ dates, decimal, booleans }: ImportFlags): LocalForms {
  const date = dates === undefined ? undefined : makeDateForm(dates)
  const number = decimal === undefined ? undefined : makeNumberForm(decimal)
  const boolean = booleans === undefined ? undefined : makeBooleanForm(booleans)
  const said: Partial<Record<LiteralKind, LocalForm | undefined>> = {
    int: number,
    double: number,
    date,
    boolean,
  }
  return (type) => {
    const { literal, readText } = findDescribedType(type) ?? {}
    return (literal && said[literal]) ?? (readText && { wanted: type, read: readText })
  }
}
