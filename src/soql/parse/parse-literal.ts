import type { ApiError } from '../../base/api-error.ts'
import { COUNTED_DATE_LITERALS, FIXED_DATE_LITERALS } from './date-literal-names.ts'
import { decodePattern, decodeString } from './decode-string.ts'
import type { CurrencyLiteral, LikePattern, Literal, NumberLiteral, StringLiteral } from './literal.ts'
import { parseDate, parseDateTime, parseTime } from './parse-temporal.ts'
import { malformedQuery } from './query-error.ts'
import type { Token } from './token.ts'
import type { TokenStream } from './token-stream.ts'

const FIXED = new Map(FIXED_DATE_LITERALS.map((name) => [name as string, name]))
const COUNTED = new Map(COUNTED_DATE_LITERALS.map((name) => [name as string, name]))
const CURRENCY_WORD = /^[A-Z]{3}\d+$/
const DIGITS = /^\d+$/
/** More digits than any field holds, fewer than PostgreSQL rejects. */
const MAX_DIGITS = 1000

/** The value on the right of an operator. (docs/reference/api/queries.md#literals) */
export function parseLiteral(stream: TokenStream): Literal {
  const token = stream.current
  switch (token.kind) {
    case 'string':
      stream.take()
      return { kind: 'string', value: decodeString(token.text), at: token.at }
    case 'number':
      return parseNumber(stream)
    case 'date':
      return parseDate(stream.take())
    case 'datetime':
      return parseDateTime(stream.take())
    case 'time':
      return parseTime(stream.take())
    case 'currency':
      return parseCurrency(stream.take())
    case 'word':
      return parseWord(stream)
    default:
      throw unexpectedValueError(stream)
  }
}

/** The value after LIKE. (docs/reference/api/queries.md#conditions) */
export function parsePattern(stream: TokenStream): LikePattern | Exclude<Literal, StringLiteral> {
  if (stream.current.kind === 'string') {
    const { text, at } = stream.take()
    return { kind: 'pattern', value: decodePattern(text), at }
  }
  return parseLiteral(stream) as Exclude<Literal, StringLiteral>
}

/** (docs/reference/api/queries.md#numbers) */
export function parseNumber(stream: TokenStream): NumberLiteral {
  if (stream.current.kind !== 'number') throw unexpectedValueError(stream)
  const { text, at } = stream.take()
  return { kind: 'number', value: parseFinite(text), text, at }
}

/** The number of LIMIT, OFFSET and of a counted date literal: digits only. (docs/reference/api/queries.md#order-limit-and-offset) */
export function parseCount(stream: TokenStream): NumberLiteral {
  const token = stream.current
  const count = parseNumber(stream)
  if (!DIGITS.test(count.text) || !Number.isSafeInteger(count.value)) throw stream.unexpected(token)
  return count
}

/** Also for a missing parenthesis after IN, which reads as a variable. (docs/reference/api/queries.md#literals) */
export function bindVariableError(): ApiError {
  return malformedQuery('Bind variables only allowed in Apex code')
}

function parseWord(stream: TokenStream): Literal {
  const { key, at } = stream.current
  if (key === 'NULL') {
    stream.take()
    return { kind: 'null', at }
  }
  if (key === 'TRUE' || key === 'FALSE') {
    stream.take()
    return { kind: 'boolean', value: key === 'TRUE', at }
  }
  const fixed = FIXED.get(key)
  if (fixed !== undefined) {
    stream.take()
    return { kind: 'dateLiteral', name: fixed, at }
  }
  const counted = COUNTED.get(key)
  if (counted !== undefined) {
    stream.take()
    stream.expect(':')
    return { kind: 'dateLiteral', name: counted, n: parseCount(stream).value, at }
  }
  if (CURRENCY_WORD.test(key)) return parseCurrency(stream.take())
  throw stream.unexpected()
}

function parseCurrency({ text: source, at }: Token): CurrencyLiteral {
  const text = source.slice(3)
  return { kind: 'currency', iso: source.slice(0, 3).toUpperCase(), amount: parseFinite(text), text, at }
}

function parseFinite(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || text.length > MAX_DIGITS)
    throw malformedQuery('a number has too many digits')
  return value
}

function unexpectedValueError(stream: TokenStream): ApiError {
  return stream.is(':') ? bindVariableError() : stream.unexpected()
}
