import { COUNTED_DATE_LITERALS } from './date-literal-names.ts'
import { readToken } from './lexer.ts'
import type { Token } from './token.ts'

const LISTS: ReadonlySet<string> = new Set(['IN', 'INCLUDES', 'EXCLUDES'])
const COUNTED: ReadonlySet<string> = new Set(COUNTED_DATE_LITERALS)
const CLAUSES: ReadonlySet<string> = new Set(['LIMIT', 'OFFSET'])
/** The units of a distance, without which a query has no meaning. */
const UNITS: ReadonlySet<string> = new Set(["'mi'", "'km'"])

/** Stands for any text, where an id is allowed and where none is: `'a'` would be no id. */
const ANY_TEXT = "'000000000000000AAA'"

/** Patterns that begin with characters can use an index; others cannot. */
const maskPattern = (text: string) => (/^'[%_]/.test(text) ? "'%?'" : text.length === 2 ? "'?'" : "'?%'")

/** The power of ten that is not above a count: how much a query wants decides how it is carried out. */
const roundDown = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? `1${'0'.repeat(text.length - 1)}` : '1')

function maskLiteral(token: Token, before: string): string | undefined {
  switch (token.kind) {
    case 'string':
      if (UNITS.has(token.text.toLowerCase()) && before === ',') return token.text
      return before === 'LIKE' ? maskPattern(token.text) : ANY_TEXT
    case 'number':
      return CLAUSES.has(before) || before === 'counted' ? roundDown(token.text) : '0'
    case 'currency':
      return '0'
    case 'date':
      return '2000-01-01'
    case 'datetime':
      return '2000-01-01T00:00:00Z'
    case 'time':
      return '00:00:00Z'
    case 'word':
      // `USD5` is a word for the lexer, and a field cannot have that name.
      return /^[A-Z]{3}\d+$/.test(token.key) && isValuePlace(before)
        ? '0'
        : token.key === 'FALSE' && isValuePlace(before)
          ? 'true'
          : undefined
    default:
      return undefined
  }
}

const VALUE_PLACES: ReadonlySet<string> = new Set(['=', '!=', '<>', '<', '<=', '>', '>=', 'in list'])
const isValuePlace = (before: string) => VALUE_PLACES.has(before)

/** No blank before or after these. */
const isTight = (key: string) => key === '.' || key === ':'

/**
 * The text of a query with values that say nothing in place of its own: queries that differ in their values have the same text. It is a
 * query still. A list of values becomes one value, and LIMIT, OFFSET and `LAST_N_DAYS:n` are rounded down to a power of ten.
 * @param text of a query that was parsed before
 */
export function maskQuery(text: string): string {
  let masked = ''
  /** The kind of the token before, which decides what the next one means. */
  let before = ''
  let last: Token | undefined
  let isInList = false
  let isPastFirst = false
  for (let token = readToken(text, 0); token.kind !== 'end'; token = readToken(text, token.end)) {
    const opensList = token.key === '(' && LISTS.has(before)
    if (token.key === 'SELECT' || token.key === ')') isInList = false
    const value = maskLiteral(token, isInList ? 'in list' : before)
    if (isInList && token.key === ',') isPastFirst = true
    if (!isInList || !isPastFirst) {
      const isGlued =
        last === undefined ||
        isTight(token.key) ||
        isTight(last.key) ||
        last.key === '(' ||
        [',', ')'].includes(token.key) ||
        isCall(last, token)
      masked += `${isGlued ? '' : ' '}${value ?? token.text}`
      last = token
    }
    if (opensList) {
      isInList = true
      isPastFirst = false
    }
    before = token.key === ':' && COUNTED.has(before) ? 'counted' : token.key
  }
  return masked
}

/** The parenthesis of a function stands right after its name. */
const isCall = (last: Token, token: Token) =>
  token.key === '(' && last.kind === 'word' && last.end === token.at && !LISTS.has(last.key)
