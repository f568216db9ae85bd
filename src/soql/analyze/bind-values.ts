import { ApiError } from '../../base/api-error.ts'
import { didYouMean } from '../../base/nearest.ts'
import { COUNTED_DATE_LITERALS } from '../parse/date-literal-names.ts'
import { readToken } from '../parse/lexer.ts'
import {
  type LiteralWriter,
  writeCount,
  writeList,
  writeLiteral,
  writePattern,
} from '../parse/write-literal.ts'

/** A variable of a query: what of the text gives way to its value. */
interface Variable {
  readonly name: string
  readonly at: number
  readonly end: number
  readonly write: LiteralWriter
}

const COUNTED: ReadonlySet<string> = new Set(COUNTED_DATE_LITERALS)
const LIST_WORDS = ['IN', 'INCLUDES', 'EXCLUDES']

/** What a value stands after, and which values can stand there. */
const WRITERS: ReadonlyMap<string, LiteralWriter> = new Map<string, LiteralWriter>([
  ...['=', '!=', '<>', '<', '<=', '>', '>='].map((operator) => [operator, writeLiteral] as const),
  ['LIKE', writePattern],
  ...LIST_WORDS.map((word) => [word, writeList] as const),
  ...['LIMIT', 'OFFSET', ...COUNTED].map((word) => [word, writeCount] as const),
])
/** What the parenthesis of a list of values stands after. */
const BEFORE_VALUES: ReadonlySet<string> = new Set([...LIST_WORDS, 'GEOLOCATION'])

/** What a literal would become one token with: `LIMIT:most`, `:year-01-01`. */
const GLUED_BEFORE = /\w/
const GLUED_AFTER = /[.:+-]/

/**
 * The text of a query with a literal for each `:name`. Whatever a value is, the parser reads it as this one value,
 * so that nothing that comes from outside can become a part of the query's language.
 *
 * A `:name` is a variable only where a value can stand; any other is left for the parser to refuse.
 * @param values by name; there may be more of them than the text has variables
 * @throws ApiError MALFORMED_QUERY when there is no such value, or no literal for it; also when the text has a
 *   character that no query has, so that the error points at its place in the text as it is here
 */
export function bindValues(text: string, values: Readonly<Record<string, unknown>>): string {
  let bound = ''
  let copied = 0
  for (const { name, at, end, write } of findVariables(text)) {
    if (!Object.hasOwn(values, name)) {
      const meant = didYouMean(name, Object.keys(values))
      throw new ApiError('MALFORMED_QUERY', `Variable does not exist: ${name}${meant}`)
    }
    const before = GLUED_BEFORE.test(text.charAt(at - 1)) ? ' ' : ''
    const after = GLUED_AFTER.test(text.charAt(end)) ? ' ' : ''
    bound += text.slice(copied, at) + before + write(values[name], name) + after
    copied = end
  }
  return bound + text.slice(copied)
}

function* findVariables(text: string): Generator<Variable> {
  /** The key of the token before. A variable has none, whatever its name. */
  let before = ''
  let inValues = false
  for (let token = readToken(text, 0); token.kind !== 'end'; token = readToken(text, token.end)) {
    if (token.key === ':') {
      const name = readToken(text, token.end)
      const isListed = inValues && (before === '(' || before === ',')
      const write = isListed ? writeLiteral : WRITERS.get(before)
      if (name.kind === 'word' && write !== undefined) {
        // The colon of `LAST_N_DAYS:days` belongs to the literal.
        yield { name: name.text, at: COUNTED.has(before) ? token.end : token.at, end: name.end, write }
        before = ''
        token = name
        continue
      }
    }
    if (token.key === '(') inValues = BEFORE_VALUES.has(before)
    else if (token.key === ')' || token.key === 'SELECT') inValues = false
    before = token.key
  }
}
