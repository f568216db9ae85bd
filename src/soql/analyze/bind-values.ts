import { didYouMean } from '../../base/nearest.ts'
import { COUNTED_DATE_LITERALS } from '../parse/date-literal-names.ts'
import { readToken } from '../parse/lexer.ts'
import { malformedQuery } from '../parse/query-error.ts'
import {
  type LiteralWriter,
  writeCount,
  writeList,
  writeLiteral,
  writePattern,
} from '../parse/write-literal.ts'

/** A variable in a query: the range of the text that its value replaces. */
interface Variable {
  readonly name: string
  readonly at: number
  readonly end: number
  readonly write: LiteralWriter
}

const COUNTED: ReadonlySet<string> = new Set(COUNTED_DATE_LITERALS)
const LIST_WORDS = ['IN', 'INCLUDES', 'EXCLUDES']

/** Tokens that a value can follow, and how to write the value there. */
const WRITERS: ReadonlyMap<string, LiteralWriter> = new Map<string, LiteralWriter>([
  ...['=', '!=', '<>', '<', '<=', '>', '>='].map((operator) => [operator, writeLiteral] as const),
  ['LIKE', writePattern],
  ...LIST_WORDS.map((word) => [word, writeList] as const),
  ...['LIMIT', 'OFFSET', ...COUNTED].map((word) => [word, writeCount] as const),
])
/** Tokens that the parenthesis of a list of values can follow. */
const BEFORE_VALUES: ReadonlySet<string> = new Set([...LIST_WORDS, 'GEOLOCATION'])

/** Characters that would merge with a literal into one token: `LIMIT:max`, `:year-01-01`. */
const GLUED_BEFORE = /\w/
const GLUED_AFTER = /[.:+-]/

/**
 * Replaces each `:name` in the text of a query by a literal. The parser reads each literal as exactly that value,
 * so values cannot inject query syntax.
 *
 * A `:name` is a variable only where a value is allowed; elsewhere the parser rejects it.
 * @param values by name; unused ones are ignored
 * @throws ApiError MALFORMED_QUERY if a value is missing or has no literal; also if the text has a
 *   character that is illegal in queries, so that the error has its position in this text
 */
export function bindValues(text: string, values: Readonly<Record<string, unknown>>): string {
  let bound = ''
  let copied = 0
  for (const { name, at, end, write } of findVariables(text)) {
    if (!Object.hasOwn(values, name)) {
      const meant = didYouMean(name, Object.keys(values))
      throw malformedQuery(`Variable does not exist: ${name}${meant}`)
    }
    const before = GLUED_BEFORE.test(text.charAt(at - 1)) ? ' ' : ''
    const after = GLUED_AFTER.test(text.charAt(end)) ? ' ' : ''
    bound += text.slice(copied, at) + before + write(values[name], name) + after
    copied = end
  }
  return bound + text.slice(copied)
}

function* findVariables(text: string): Generator<Variable> {
  /** Key of the previous token; empty after a variable, whatever its name. */
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
