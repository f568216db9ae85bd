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

/** Maximum members of all objects in variables, as a document has tokens: each object is compared with all members of its type. */
const MAX_ALL_MEMBERS = 10_000

/**
 * Checks how deep values of variables are nested, and how many they are. Plain values in a list cost little and do not count.
 * @throws DocumentRefused
 */
export function checkVariables(given: object): void {
  let count = 0
  const check = (value: object, level: number): void => {
    if (level > MAX_LEVELS) throw tooDeepError('values of variables')
    const isList = Array.isArray(value)
    const members: readonly unknown[] = Object.values(value)
    if (level > 0 && !isList && members.length > MAX_MEMBERS) {
      throw documentError(
        'ValidationError',
        `An object in the variables has more than ${MAX_MEMBERS} members`,
      )
    }
    for (const member of members) {
      const isPlain = typeof member !== 'object' || member === null
      if (isList && isPlain) continue
      if (++count > MAX_ALL_MEMBERS) {
        throw documentError('ValidationError', `The variables have more than ${MAX_ALL_MEMBERS} members`)
      }
      if (!isPlain) check(member, level + 1)
    }
  }
  check(given, 0)
}
