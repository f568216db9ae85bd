import type { FieldKind } from './field-kind.ts'

const escapeText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/** A text as a literal of the query language. */
export const quote = (text: string): string => `'${escapeText(text)}'`

const escapePattern = (text: string): string => escapeText(text).replace(/[%_]/g, '\\$&')

/** A pattern of LIKE for what contains a text. */
export const quoteContaining = (text: string): string => `'%${escapePattern(text)}%'`

/** A pattern of LIKE for what begins with a text. */
export const quoteStarting = (text: string): string => `'${escapePattern(text)}%'`

/** Literals that stand without quotes, by the kind of their field. */
const BARE: Readonly<Partial<Record<FieldKind, RegExp>>> = {
  checkbox: /^(true|false)$/,
  number: /^-?\d+(\.\d+)?$/,
  date: /^(\d{4}-\d\d-\d\d|[A-Z_]+(:\d+)?)$/,
  datetime: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|[A-Z_]+(:\d+)?)$/,
  time: /^\d\d:\d\d:\d\d(\.\d+)?Z$/,
}

/** A value of a field as a literal. What none of its kind looks like is a text, which the server refuses with the cause. */
export const writeLiteral = (kind: FieldKind, value: string): string =>
  BARE[kind]?.test(value) === true ? value : quote(value)
