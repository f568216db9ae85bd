import type { FieldPath, Name } from './function-call.ts'
import { RESERVED_ALIASES, RESERVED_NAMES } from './reserved-words.ts'
import type { Token } from './token.ts'
import type { TokenStream } from './token-stream.ts'

/** Tokens that can follow an alias in FROM: more names, the end of a child query, the next clause. */
const AFTER_FROM_ALIAS: ReadonlySet<string> = new Set([
  ',',
  ')',
  'USING',
  'WHERE',
  'WITH',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FOR',
  'UPDATE',
])
const AFTER_SELECT_ALIAS: ReadonlySet<string> = new Set([',', 'FROM'])

/** A name of an object, a relationship, a scope, a category. (docs/reference/api/queries.md#names) */
export function parseName(stream: TokenStream): Name {
  const { text, at } = takeName(stream)
  return { kind: 'name', text, at }
}

/** (docs/reference/api/queries.md#names) */
export function parsePath(stream: TokenStream): FieldPath {
  const { text, at } = takeName(stream)
  const segments = [text]
  while (stream.skip('.')) {
    // After a dot no keyword is possible, so any word is a name.
    if (stream.current.kind !== 'word') throw stream.unexpected()
    segments.push(stream.take().text)
  }
  return { kind: 'path', segments, at }
}

/** The alias of a select item, if there is one. (docs/reference/api/queries.md#aliases) */
export function parseSelectAlias(stream: TokenStream): Name | undefined {
  return parseAlias(stream, AFTER_SELECT_ALIAS)
}

/** The alias after an object, a path or a relationship of a FROM, if there is one. (docs/reference/api/queries.md#names) */
export function parseFromAlias(stream: TokenStream): Name | undefined {
  return isClauseStart(stream) ? undefined : parseAlias(stream, AFTER_FROM_ALIAS)
}

/** ORDER and UPDATE are aliases where an alias could end after them. (docs/reference/api/queries.md#names) */
function isClauseStart(stream: TokenStream): boolean {
  if (!AFTER_FROM_ALIAS.has(stream.current.key)) return false
  // A clause that is cut off is far more likely than an alias named offset or for.
  if (stream.is('OFFSET') || stream.is('FOR')) return true
  return !canFollow(stream, AFTER_FROM_ALIAS)
}

/**
 * A misspelt keyword looks like an alias. The next token distinguishes the two, so that the error names the word that
 * is wrong and not the one after it: `SELECT Id FRM Account`.
 */
function parseAlias(stream: TokenStream, followers: ReadonlySet<string>): Name | undefined {
  if (stream.current.kind !== 'word' || RESERVED_ALIASES.has(stream.current.key)) return
  if (!canFollow(stream, followers)) throw stream.unexpected()
  const { text, at } = stream.take()
  return { kind: 'name', text, at }
}

function canFollow({ next }: TokenStream, followers: ReadonlySet<string>): boolean {
  return next.kind === 'end' || followers.has(next.key)
}

function takeName(stream: TokenStream): Token {
  const { kind, key } = stream.current
  if (kind !== 'word' || RESERVED_NAMES.has(key)) throw stream.unexpected()
  return stream.take()
}
