import type { ApiError } from '../../base/api-error.ts'
import { malformedQuery, placeError } from './query-error.ts'
import { findSourcePosition } from './source-position.ts'
import type { Token, TokenKind } from './token.ts'

const LETTER = 1
const DIGIT = 2
const UNDERSCORE = 4
const SPACE = 8
const WORD = LETTER | DIGIT | UNDERSCORE

/** The class of each ASCII character. 0: allowed only in a string. (docs/reference/api/queries.md#text-of-a-query, docs/reference/api/queries.md#names) */
const CLASSES = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyz') {
  CLASSES[character.charCodeAt(0)] = LETTER
  CLASSES[character.toUpperCase().charCodeAt(0)] = LETTER
}
for (const character of '0123456789') CLASSES[character.charCodeAt(0)] = DIGIT
for (const character of ' \t\r\n') CLASSES[character.charCodeAt(0)] = SPACE
CLASSES['_'.charCodeAt(0)] = UNDERSCORE

const QUOTE = "'".charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)

/**
 * Reads the first token at or after an offset. It reads each character once and keeps no state, so that the caller
 * decides how far to read. (docs/reference/api/queries.md#text-of-a-query)
 */
export function readToken(text: string, from: number): Token {
  let at = from
  while (isInClass(SPACE, text, at)) at++
  if (at === text.length) return { kind: 'end', text: '', key: '', at, end: at }
  if (isInClass(LETTER, text, at)) return readWord(text, at)
  if (isInClass(DIGIT, text, at)) return readNumeric(text, at)
  if (text.charCodeAt(at) === QUOTE) return readString(text, at)
  return readSymbol(text, at)
}

function readWord(text: string, at: number): Token {
  let end = at + 1
  while (isInClass(WORD, text, end)) end++
  const currencyEnd = findCurrencyEnd(text, at, end)
  if (currencyEnd !== undefined) return readClosed('currency', text, at, currencyEnd)
  const word = text.slice(at, end)
  return { kind: 'word', text: word, key: word.toUpperCase(), at, end }
}

/**
 * `USD-5` and `USD5.5` can only be currency. `USD5` stays a word, because it could be the name of a field; the
 * parser knows whether a value is expected there. (docs/reference/api/queries.md#distances)
 */
function findCurrencyEnd(text: string, at: number, wordEnd: number): number | undefined {
  if (wordEnd < at + 3) return
  for (let i = at + 1; i < at + 3; i++) if (!isInClass(LETTER, text, i)) return
  for (let i = at + 3; i < wordEnd; i++) if (!isInClass(DIGIT, text, i)) return
  const bare = wordEnd === at + 3
  if (text[wordEnd] !== (bare ? '-' : '.') || !isInClass(DIGIT, text, wordEnd + 1)) return
  return bare ? skipNumber(text, wordEnd + 1) : skipDigits(text, wordEnd + 1)
}

function readNumeric(text: string, at: number): Token {
  const end = skipDigits(text, at)
  if (end === at + 4 && text[end] === '-' && isInClass(DIGIT, text, end + 1)) return readTemporal(text, at)
  if (end === at + 2 && text[end] === ':' && isInClass(DIGIT, text, end + 1)) return readTemporal(text, at)
  return readClosed('number', text, at, skipNumber(text, at))
}

/** Takes everything that could belong to a date or time; `parse-temporal.ts` checks whether it is one. */
function readTemporal(text: string, at: number): Token {
  let end = at
  let hasTimeMark = false
  for (; end < text.length; end++) {
    const character = text[end]!
    if (character === 'T' || character === 't') hasTimeMark = true
    if (!isInClass(WORD, text, end) && !':.+-'.includes(character)) break
  }
  const kind = hasTimeMark ? 'datetime' : text[at + 2] === ':' ? 'time' : 'date'
  return { kind, text: text.slice(at, end), key: '', at, end }
}

function readString(text: string, at: number): Token {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return { kind: 'string', text: text.slice(at, i + 1), key: '', at, end: i + 1 }
    if (code === BACKSLASH) i++
    // PostgreSQL cannot store U+0000, so no value can be equal to it.
    if (code === 0) throw noAlternativeError(text, i)
  }
  throw lexerError(text, text.length, "mismatched character '<EOF>' expecting '''")
}

function readSymbol(text: string, at: number): Token {
  const first = text[at]!
  const second = text[at + 1]
  switch (first) {
    case ',':
    case '(':
    case ')':
    case '.':
    case ':':
    case '=':
      return makeSymbol(first, at)
    case '<':
      return makeSymbol(second === '=' ? '<=' : second === '>' ? '<>' : '<', at)
    case '>':
      return makeSymbol(second === '=' ? '>=' : '>', at)
    case '!':
      if (second === '=') return makeSymbol('!=', at)
      throw lexerError(text, at + 1, `mismatched character '${characterAt(text, at + 1)}' expecting '='`)
    case '+':
    case '-':
      if (first === '-' && second === '>') return makeSymbol('->', at)
      if (isInClass(DIGIT, text, at + 1)) return readClosed('number', text, at, skipNumber(text, at + 1))
  }
  throw noAlternativeError(text, at)
}

function makeSymbol(key: string, at: number): Token {
  return { kind: 'symbol', text: key, key, at, end: at + key.length }
}

/** A number may not run into a word: `10AND`, `1e5`, an id without quotes. (docs/reference/api/queries.md#text-of-a-query, docs/reference/api/queries.md#numbers) */
function readClosed(kind: TokenKind, text: string, at: number, end: number): Token {
  if (!isInClass(WORD, text, end)) return { kind, text: text.slice(at, end), key: '', at, end }
  let wordEnd = end
  while (isInClass(WORD, text, wordEnd)) wordEnd++
  throw placeError(malformedQuery(`unexpected token: '${text.slice(at, wordEnd)}'`), at)
}

/** The end of digits and fraction. */
function skipNumber(text: string, from: number): number {
  const end = skipDigits(text, from)
  return text[end] === '.' && isInClass(DIGIT, text, end + 1) ? skipDigits(text, end + 1) : end
}

function skipDigits(text: string, from: number): number {
  let end = from
  while (isInClass(DIGIT, text, end)) end++
  return end
}

/** Past the end of the text the code is NaN, which belongs to no class. */
function isInClass(mask: number, text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && (CLASSES[code]! & mask) !== 0
}

function noAlternativeError(text: string, at: number): ApiError {
  return lexerError(text, at, `no viable alternative at character '${characterAt(text, at)}'`)
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '<EOF>' : String.fromCodePoint(code)
}

/** Unlike other errors, these count columns from 0. (docs/reference/api/queries.md#positions) */
function lexerError(text: string, at: number, explanation: string): ApiError {
  const { row, column } = findSourcePosition(text, at)
  return placeError(malformedQuery(`line ${row}:${column - 1} ${explanation}`), at)
}
