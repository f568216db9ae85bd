import { ApiError } from '../../base/api-error.ts'
import { readToken } from '../parse/lexer.ts'
import type { Token } from '../parse/token.ts'

/** More is not a query that somebody types: what follows is not read. */
const MAX_BROKEN = 50

/** Reads an incomplete token while it is being typed: a string without its closing quote takes the rest of the text. */
function readBroken(text: string, from: number): Token {
  const at = from + /^[ \t\r\n]*/.exec(text.slice(from))![0].length
  const isText = text[at] === "'"
  const end = isText ? text.length : at + 1
  return { kind: isText ? 'string' : 'symbol', text: text.slice(at, end), key: '', at, end }
}

/** The tokens of a text that need not be a query yet. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  let broken = 0
  for (let from = 0; ; ) {
    let token: Token
    try {
      token = readToken(text, from)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (++broken > MAX_BROKEN) return tokens
      token = readBroken(text, from)
    }
    if (token.kind === 'end') return tokens
    tokens.push(token)
    from = token.end
  }
}
