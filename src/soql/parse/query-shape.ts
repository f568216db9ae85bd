import { decodeString } from './decode-string.ts'
import { readToken } from './lexer.ts'
import type { NumberLiteral, StringLiteral } from './literal.ts'
import type { Token } from './token.ts'

/** Common shape of queries that differ only in the texts and numbers with which they compare. */
export interface QueryShape {
  /** The same for them all. It is no query. */
  readonly key: string
  /** The literals that differ, in the order of the text. */
  readonly literals: readonly (StringLiteral | NumberLiteral)[]
}

/** Longer queries, and those with more values, are seldom asked again. */
const MAX_CHARACTERS = 2000
const MAX_LITERALS = 16

/** Tokens that a value follows. */
const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<>', '<', '<=', '>', '>='])

/** Decides the type of the statement's parameter, as `compileComparand` does. */
const SMALL_INTEGER = /^[+-]?\d{1,9}$/

/** No query may have this character. */
const MARK = '\0'

/** The empty text means null and has no slot. */
const EMPTY_TEXT = "''"

function readLiteral({ kind, text, at }: Token): StringLiteral | NumberLiteral | undefined {
  if (kind === 'string' && text !== EMPTY_TEXT) return { kind, value: decodeString(text), at }
  return kind === 'number' ? { kind, value: Number(text), text, at } : undefined
}

function nameKind(literal: StringLiteral | NumberLiteral): string {
  if (literal.kind === 'string') return 'text'
  return SMALL_INTEGER.test(literal.text) ? 'integer' : 'number'
}

/**
 * The shape of a query. It is found without parsing, so it means nothing unless a query of that shape was analyzed.
 * @returns undefined if the query has no literals that count, or too many
 * @throws ApiError if a token is not valid
 */
export function findShape(text: string): QueryShape | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const literals: (StringLiteral | NumberLiteral)[] = []
  let key = ''
  let copied = 0
  let before = ''
  for (let token = readToken(text, 0); token.kind !== 'end'; token = readToken(text, token.end)) {
    const literal = COMPARISONS.has(before) ? readLiteral(token) : undefined
    before = token.key
    if (literal === undefined) continue
    literals.push(literal)
    key += `${text.slice(copied, token.at)}${MARK}${nameKind(literal)}`
    copied = token.end
  }
  if (literals.length === 0 || literals.length > MAX_LITERALS) return undefined
  return { key: key + text.slice(copied), literals }
}
