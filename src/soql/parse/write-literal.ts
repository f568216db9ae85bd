import { ApiError } from '../../base/api-error.ts'
import { parseDate, parseDateTime } from './parse-temporal.ts'
import type { Token, TokenKind } from './token.ts'

/**
 * Gives the text that is read as a value.
 * @param name of the variable, for the error about a value that has no such text
 */
export type LiteralWriter = (value: unknown, name: string) => string

/** What no string holds as it is: its end, an escape, line ends (rows stay what they were), halves of characters. */
const ESCAPED = /['\\\p{Cc}\p{Cs}]/gu
/** In a pattern, a backslash that takes the meaning of the next character is an escape already. */
const ESCAPED_PATTERN = /\\[%_\\]|['\\\p{Cc}\p{Cs}]/gu
/** A very large or very small number as JavaScript writes it. */
const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/**
 * One value. Undefined is none: a value that was forgotten would otherwise, as null, find what has no value.
 * (docs/reference/api/queries.md#literals)
 */
export function writeLiteral(value: unknown, name: string): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, ESCAPED, name)
    case 'number':
      return writeNumber(value, name)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : writeObject(value, name)
    default:
      throw noLiteral(value, name)
  }
}

/** The value after LIKE is a pattern: `\%`, `\_` and `\\` in it stand for `%`, `_` and `\`. (docs/reference/api/queries.md#conditions) */
export function writePattern(value: unknown, name: string): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') throw unfit(value, name, 'LIKE takes a string')
  return writeString(value, ESCAPED_PATTERN, name)
}

/** The values after IN, INCLUDES and EXCLUDES, with their parentheses. */
export function writeList(value: unknown, name: string): string {
  if (!Array.isArray(value)) throw unfit(value, name, 'IN, INCLUDES and EXCLUDES take an array')
  if (value.length === 0) throw unfit(value, name, 'it is empty, and a query has no empty list')
  // Unlike map, this does not pass over holes.
  return `(${Array.from(value, (item, index) => writeLiteral(item, `${name}[${index}]`)).join(',')})`
}

/** The number of LIMIT, OFFSET and of a counted date literal. (docs/reference/api/queries.md#order-limit-and-offset) */
export function writeCount(value: unknown, name: string): string {
  const count = typeof value === 'bigint' ? Number(value) : value
  if (Number.isSafeInteger(count) && (count as number) >= 0) return String(count)
  throw unfit(value, name, 'here only a whole number from 0 up can stand')
}

function writeString(value: string, escaped: RegExp, name: string): string {
  if (value.includes('\0')) throw unfit(value, name, 'no text can hold its character 0')
  const content = value.replaceAll(escaped, (found) => {
    if (found.length === 2) return found
    if (found === "'" || found === '\\') return `\\${found}`
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `'${content}'`
}

/** With all its digits: a number of a query has no exponent. (docs/reference/api/queries.md#numbers) */
function writeNumber(value: number, name: string): string {
  if (!Number.isFinite(value)) throw noLiteral(value, name)
  const text = String(value)
  const match = EXPONENTIAL.exec(text)
  if (match === null) return text
  const [, sign, whole, fraction = '', exponent] = match
  const digits = `${whole}${fraction}`
  const locations = Number(exponent)
  return locations > 0
    ? `${sign}${digits.padEnd(locations + 1, '0')}`
    : `${sign}0.${'0'.repeat(-locations - 1)}${digits}`
}

/** A moment, or a day: `{ date: '2026-01-31' }`. A text that looks like a day stays a text. */
function writeObject(value: object, name: string): string {
  if (Array.isArray(value)) {
    throw unfit(value, name, 'it can only stand after IN, INCLUDES and EXCLUDES, without parentheses')
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return parseDateTime(tokenOf('datetime', value.toISOString())).value
  }
  const day = 'date' in value ? value.date : undefined
  if (typeof day === 'string') return parseDate(tokenOf('date', day)).value
  throw noLiteral(value, name)
}

/** For the parsers of days and moments, which know those that there are. */
function tokenOf(kind: TokenKind, text: string): Token {
  return { kind, text, key: '', at: 0, end: text.length }
}

function noLiteral(value: unknown, name: string): ApiError {
  return unfit(value, name, 'a query has no literal for it')
}

function unfit(value: unknown, name: string, why: string): ApiError {
  return new ApiError('MALFORMED_QUERY', `Variable ${name} is ${kindOf(value)}: ${why}`)
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'number') return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'an array'
  return value instanceof Date ? 'an invalid Date' : 'an object'
}
