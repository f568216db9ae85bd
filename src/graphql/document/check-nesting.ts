import { Lexer, Source, TokenKind } from 'graphql'
import { documentError } from '../values/graphql-error.ts'

/** Deeper than any real document or value; bounds the recursion of their readers. */
const MAX_LEVELS = 100

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

const tooDeepError = (what: string) =>
  documentError('ValidationError', `The ${what} are nested deeper than ${MAX_LEVELS} levels`)

/** Longer than any name of a schema: an alias is repeated in every record of the answer. */
const MAX_NAME_LENGTH = 255

/** @throws GraphQLError if the text has invalid tokens; DocumentRefused if it is nested too deeply or a name is too long */
export function checkNesting(text: string, maxTokens: number): void {
  const lexer = new Lexer(new Source(text))
  let level = 0
  for (let tokens = 0; tokens <= maxTokens; tokens++) {
    const { kind, start, end } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (kind === TokenKind.NAME && end - start > MAX_NAME_LENGTH) {
      throw documentError('ValidationError', `A name is longer than ${MAX_NAME_LENGTH} characters`)
    }
    if (OPENING.includes(kind) && ++level > MAX_LEVELS) throw tooDeepError('selections and values')
    if (CLOSING.includes(kind)) level--
  }
}

/** Maximum members of an object in variables: error messages about one list all of them. */
const MAX_MEMBERS = 2000

/** Checks the nesting of values of variables. */
export function checkValueNesting(value: unknown, level = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (level > MAX_LEVELS) throw tooDeepError('values of variables')
  const members = Object.values(value)
  if (level > 0 && !Array.isArray(value) && members.length > MAX_MEMBERS) {
    throw documentError('ValidationError', `An object in the variables has more than ${MAX_MEMBERS} members`)
  }
  for (const member of members) checkValueNesting(member, level + 1)
}
