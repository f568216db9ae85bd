import { malformedQuery } from './query-error.ts'

const MAX_STRING_CHARACTERS = 4000
/** Letters that may follow a backslash, in any case. (docs/reference/api/queries.md#strings) */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
])
const UNICODE_ESCAPE = /\\u([0-9a-f]{4})/iy

/** The value of a string literal; `source` includes the quotes. (docs/reference/api/queries.md#strings) */
export function decodeString(source: string): string {
  return decode(source, false)
}

/** The pattern of a string literal after LIKE: `\%` and `\_` are legal and stay. (docs/reference/api/queries.md#strings, docs/reference/api/queries.md#conditions) */
export function decodePattern(source: string): string {
  return decode(source, true)
}

function decode(source: string, isPattern: boolean): string {
  const content = source.slice(1, -1)
  if (content.length <= MAX_STRING_CHARACTERS && !content.includes('\\')) return content
  let decoded = ''
  let length = 0
  for (let i = 0; i < content.length; length++) {
    const backslash = content.indexOf('\\', i)
    if (backslash !== i) {
      const end = backslash === -1 ? content.length : backslash
      decoded += content.slice(i, end)
      length += end - i - 1
      i = end
      continue
    }
    const [value, size] = decodeEscape(content, i, isPattern)
    decoded += value
    i += size
  }
  if (length > MAX_STRING_CHARACTERS) {
    throw malformedQuery(`a string literal may have at most ${MAX_STRING_CHARACTERS} characters`)
  }
  return decoded
}

/** The value of the escape at an offset, and its length in characters. */
function decodeEscape(content: string, at: number, isPattern: boolean): [string, number] {
  const next = content[at + 1]!
  if (isPattern && (next === '%' || next === '_')) return [`\\${next}`, 2]
  const plain = ESCAPES.get(next.toLowerCase())
  if (plain !== undefined) return [isPattern ? escapeInPattern(plain) : plain, 2]
  if (next === 'u') {
    UNICODE_ESCAPE.lastIndex = at
    const digits = UNICODE_ESCAPE.exec(content)?.[1]
    // PostgreSQL cannot store the character U+0000.
    if (digits !== undefined && digits !== '0000') {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return [isPattern ? escapeInPattern(character) : character, 6]
    }
  }
  const sequence = content.slice(at, at + (next === 'u' ? 6 : 2))
  throw malformedQuery(
    `Invalid string literal '${content}'. Illegal character sequence '${sequence}' in string literal.`,
  )
}

/** In a pattern a backslash escapes the next character, so a decoded backslash needs an escape of its own. */
function escapeInPattern(character: string): string {
  return character === '\\' ? '\\\\' : character
}
