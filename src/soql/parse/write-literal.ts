import type { ApiError } from '../../base/api-error.ts'
import { parseDate, parseDateTime } from './parse-temporal.ts'
import { malformedQuery } from './query-error.ts'
import type { Token, TokenKind } from './token.ts'

/**
 * Returns the literal text that the parser reads as the value.
 * @param name of the variable, for errors about values without a literal
 */
export type LiteralWriter = (value: unknown, name: string) => string

/** Characters to escape in a string: quote, backslash, control characters (so rows keep their numbers), lone surrogates. */
const ESCAPED = /['\\\p{Cc}\p{Cs}]/gu
/** In a pattern, a backslash before `%`, `_` or a backslash already is an escape. */
const ESCAPED_PATTERN = /\\[%_\\]|['\\\p{Cc}\p{Cs}]/gu
/** A very large or very small number as JavaScript formats it. */
const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/**
 * Writes one value. Rejects undefined: written as null, a forgotten value would match records without a value.
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
      throw noLiteralError(value, name)
  }
}

/** The value after LIKE is a pattern: `\%`, `\_` and `\\` in it stand for `%`, `_` and `\`. (docs/reference/api/queries.md#conditions) */
export function writePattern(value: unknown, name: string): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') throw invalidVariableError(value, name, 'LIKE takes a string')
  return writeString(value, ESCAPED_PATTERN, name)
}

/** The list after IN, INCLUDES and EXCLUDES, with parentheses. */
export function writeList(value: unknown, name: string): string {
  if (!Array.isArray(value))
    throw invalidVariableError(value, name, 'IN, INCLUDES and EXCLUDES take an array')
  if (value.length === 0) throw invalidVariableError(value, name, 'a list must not be empty')
  // Unlike map, Array.from does not skip holes.
  return `(${Array.from(value, (item, index) => writeLiteral(item, `${name}[${index}]`)).join(',')})`
}

/** The number after LIMIT, OFFSET and a counted date literal. (docs/reference/api/queries.md#order-limit-and-offset) */
export function writeCount(value: unknown, name: string): string {
  const count = typeof value === 'bigint' ? Number(value) : value
  if (Number.isSafeInteger(count) && (count as number) >= 0) return String(count)
  throw invalidVariableError(value, name, 'a whole number of 0 or more is required here')
}

function writeString(value: string, escaped: RegExp, name: string): string {
  if (value.includes('\0'))
    throw invalidVariableError(value, name, 'a string must not contain the character U+0000')
  const content = value.replaceAll(escaped, (found) => {
    if (found.length === 2) return found
    if (found === "'" || found === '\\') return `\\${found}`
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `'${content}'`
}

/** Writes all digits: SOQL numbers have no exponent. (docs/reference/api/queries.md#numbers) */
function writeNumber(value: number, name: string): string {
  if (!Number.isFinite(value)) throw noLiteralError(value, name)
  const text = String(value)
  const match = EXPONENTIAL.exec(text)
  if (match === null) return text
  const [, sign, whole, fraction = '', exponent] = match
  const digits = `${whole}${fraction}`
  const shift = Number(exponent)
  return shift > 0 ? `${sign}${digits.padEnd(shift + 1, '0')}` : `${sign}0.${'0'.repeat(-shift - 1)}${digits}`
}

/** A `Date` becomes a datetime, `{ date: '2026-01-31' }` a date. Strings that look like dates stay strings. */
function writeObject(value: object, name: string): string {
  if (Array.isArray(value)) {
    throw invalidVariableError(
      value,
      name,
      'an array is allowed only after IN, INCLUDES and EXCLUDES, without parentheses',
    )
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return parseDateTime(makeToken('datetime', value.toISOString())).value
  }
  const day = 'date' in value ? value.date : undefined
  if (typeof day === 'string') return parseDate(makeToken('date', day)).value
  throw noLiteralError(value, name)
}

/** For the date parsers, which check that the day exists. */
function makeToken(kind: TokenKind, text: string): Token {
  return { kind, text, key: '', at: 0, end: text.length }
}

function noLiteralError(value: unknown, name: string): ApiError {
  return invalidVariableError(value, name, 'a query has no literal for it')
}

function invalidVariableError(value: unknown, name: string, why: string): ApiError {
  return malformedQuery(`Variable ${name} is ${describeKind(value)}: ${why}`)
}

function describeKind(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'number') return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'an array'
  return value instanceof Date ? 'an invalid Date' : 'an object'
}
