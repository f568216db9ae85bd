import { ApiError } from '../../base/api-error.ts'

const MAX_LENGTH = 4000
/** What may follow a backslash in any letter case. (docs/reference/api/queries.md#strings) */
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

/** The value of a string literal, given with its quotes. (docs/reference/api/queries.md#strings) */
export function decodeString(source: string): string {
  return decode(source, false)
}

/** The pattern of a string literal after LIKE: `\%` and `\_` are legal and stay. (docs/reference/api/queries.md#strings, docs/reference/api/queries.md#conditions) */
export function decodePattern(source: string): string {
  return decode(source, true)
}

function decode(source: string, isPattern: boolean): string {
  const content = source.slice(1, -1)
  if (content.length <= MAX_LENGTH && !content.includes('\\')) return content
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
  if (length > MAX_LENGTH) {
    throw new ApiError('MALFORMED_QUERY', `a string literal may have at most ${MAX_LENGTH} characters`)
  }
  return decoded
}

/** What the escape at an offset stands for, and how many characters it takes. */
function decodeEscape(content: string, at: number, isPattern: boolean): [string, number] {
  const next = content[at + 1]!
  if (isPattern && (next === '%' || next === '_')) return [`\\${next}`, 2]
  const plain = ESCAPES.get(next.toLowerCase())
  if (plain !== undefined) return [isPattern ? literal(plain) : plain, 2]
  if (next === 'u') {
    UNICODE_ESCAPE.lastIndex = at
    const digits = UNICODE_ESCAPE.exec(content)?.[1]
    // No stored text can hold the character 0.
    if (digits !== undefined && digits !== '0000') {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return [isPattern ? literal(character) : character, 6]
    }
  }
  const sequence = content.slice(at, at + (next === 'u' ? 6 : 2))
  throw new ApiError(
    'MALFORMED_QUERY',
    `Invalid string literal '${content}'. Illegal character sequence '${sequence}' in string literal.`,
  )
}

/** In a pattern a backslash gives the next character its plain meaning, so a decoded one needs its own. */
function literal(character: string): string {
  return character === '\\' ? '\\\\' : character
}
