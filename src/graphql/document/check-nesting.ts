import { Lexer, Source, TokenKind } from 'graphql'
import { refused } from '../values/graphql-error.ts'

/** Deeper than any document or value has to be; what reads them goes down into them. */
const MAX_LEVELS = 100

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

const tooDeep = (what: string) =>
  refused('ValidationError', `The ${what} are nested deeper than ${MAX_LEVELS} levels`)

/** @throws GraphQLError when the text is no sequence of words and marks; DocumentRefused */
export function checkNesting(text: string, maxTokens: number): void {
  const lexer = new Lexer(new Source(text))
  let level = 0
  for (let tokens = 0; tokens <= maxTokens; tokens++) {
    const { kind } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (OPENING.includes(kind) && ++level > MAX_LEVELS) throw tooDeep('selections and values')
    if (CLOSING.includes(kind)) level--
  }
}

/** An object has at most as many fields; messages about a wrong one show all members of the object. */
const MAX_MEMBERS = 2000

/** The same for values of variables. */
export function checkValueNesting(value: unknown, level = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (level > MAX_LEVELS) throw tooDeep('values of variables')
  const members = Object.values(value)
  if (level > 0 && !Array.isArray(value) && members.length > MAX_MEMBERS) {
    throw refused('ValidationError', `An object in the variables has more than ${MAX_MEMBERS} members`)
  }
  for (const member of members) checkValueNesting(member, level + 1)
}
