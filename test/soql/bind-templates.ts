import { decodePattern, decodeString } from '../../src/soql/parse/decode-string.ts'
import { readToken } from '../../src/soql/parse/lexer.ts'
import type { Token } from '../../src/soql/parse/token.ts'
import { VALID } from './hostile-texts.ts'

/** A query of the corpus with variables for its literals. */
export interface Template {
  readonly query: string
  readonly text: string
  /** Those that make the text the query again. */
  readonly values: Readonly<Record<string, unknown>>
  /** Names by the offsets of the literals in the query. */
  readonly names: ReadonlyMap<number, string>
}

const WORDS = new Map<string, unknown>([
  ['NULL', null],
  ['TRUE', true],
  ['FALSE', false],
])
const DISTANCE_UNIT = /^'(mi|km)'$/i

/** Returns the value of a literal, or undefined if the token is none, or one that no value becomes. */
function valueOfToken({ kind, text, key }: Token, before: string): unknown {
  switch (kind) {
    case 'string':
      if (DISTANCE_UNIT.test(text)) return
      return before === 'LIKE' ? decodePattern(text) : decodeString(text)
    case 'number':
      return Number(text)
    case 'date':
      return { date: text }
    case 'datetime':
      return new Date(text)
    case 'word':
      return WORDS.get(key)
  }
}

function makeTemplate(query: string): Template {
  let text = ''
  let copied = 0
  let before = ''
  const values: Record<string, unknown> = {}
  const names = new Map<number, string>()
  for (let token = readToken(query, 0); token.kind !== 'end'; token = readToken(query, token.end)) {
    const value = valueOfToken(token, before)
    if (value !== undefined) {
      const name = `v${names.size}`
      names.set(token.at, name)
      values[name] = value
      text += `${query.slice(copied, token.at)}${before === ':' ? '' : ':'}${name}`
      copied = token.end
    }
    before = token.key
  }
  return { query, text: text + query.slice(copied), values, names }
}

export const TEMPLATES: readonly Template[] = VALID.map(makeTemplate).filter(({ names }) => names.size > 0)
