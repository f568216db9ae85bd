import type { Name } from '../soql/parse/function-call.ts'
import { parseCondition } from '../soql/parse/parse-condition.ts'
import { parseCount, parseLiteral } from '../soql/parse/parse-literal.ts'
import { parseName } from '../soql/parse/parse-name.ts'
import { parseOrderBy } from '../soql/parse/parse-order.ts'
import { parseUnnamedItem } from '../soql/parse/parse-select-item.ts'
import { TokenStream } from '../soql/parse/token-stream.ts'
import type { PlainItem, Query } from '../soql/parse/tree.ts'
import { parseWords } from './parse-words.ts'
import { FIELD_GROUPS, MAX_FOUND, type Returned, type Search } from './search.ts'
import { checkObjectCount, checkSearchLength, malformedSearch, withSearchErrors } from './search-error.ts'

/** The words end at the first closing brace that is not escaped by a backslash. */
const FIND = /^\s*FIND\s*\{((?:[^}\\]|\\.)*)\}/isu

/** Characters that the platform wants a backslash before, outside of a phrase, and this server has no use for. */
const RESERVED = /"(?:[^"\\]|\\.)*"|\\.|([-&|!{[\]^~:'+])/gsu

/** @throws ApiError MALFORMED_SEARCH */
function checkEscaped(text: string, from: number, words: string): void {
  for (const { 1: character, index } of words.matchAll(RESERVED)) {
    if (character === undefined) continue
    throw malformedSearch(text, from + index, `mismatched character '${character}' expecting '}'`)
  }
}

/** Clauses that do not restrict the result are accepted. Searches run with the caller's permissions in either mode. */
const WITH_CLAUSES = [
  'HIGHLIGHT',
  'METADATA',
  'SNIPPET',
  'SPELL_CORRECTION',
  'USER_MODE',
  'SYSTEM_MODE',
  'DIVISION',
  'DATA',
] as const

/** A clause that would restrict the result by something that no org has. */
const notSupported = ({ text }: TokenStream, at: number, what: string) =>
  malformedSearch(text, at, `${what} are not enabled, so WITH cannot restrict a search by them`)

/** `WITH DIVISION = 'North'`, `WITH DATA CATEGORY Region__c AT Asia__c` */
function refuseRestriction(stream: TokenStream, clause: 'DIVISION' | 'DATA', at: number): never {
  if (clause === 'DATA') {
    stream.expect('CATEGORY')
    parseName(stream)
    throw notSupported(stream, at, 'Data categories')
  }
  stream.expect('=')
  parseLiteral(stream)
  throw notSupported(stream, at, 'Divisions')
}

/** `(target_length = 120)` */
function parseSnippet(stream: TokenStream): void {
  if (!stream.is('(')) return
  stream.parenthesized(() => {
    parseName(stream)
    stream.expect('=')
    parseLiteral(stream)
  })
}

/** `WITH METADATA = 'LABELS'`, `WITH SNIPPET (target_length = 120)`, `WITH HIGHLIGHT` */
function parseWith(stream: TokenStream): { labels: boolean } {
  let labels = false
  while (stream.skip('WITH')) {
    const { at } = stream.current
    const clause = stream.expectOneOf(WITH_CLAUSES)
    if (clause === 'DIVISION' || clause === 'DATA') refuseRestriction(stream, clause, at)
    if (stream.skip('=')) {
      const value = parseLiteral(stream)
      if (clause === 'METADATA') labels = value.kind === 'string' && value.value.toUpperCase() === 'LABELS'
    } else if (clause === 'SNIPPET') parseSnippet(stream)
  }
  return { labels }
}

/** A query for ids only, for objects without requested fields. */
export function makeIdQuery(text: string, object: Name): Query {
  const { at } = object
  return makeQuery(text, object, [{ kind: 'field', path: { kind: 'path', segments: ['Id'], at }, at }])
}

function makeQuery(text: string, object: Name, items: readonly PlainItem[]): Query {
  const { at } = object
  return {
    kind: 'query',
    text,
    items,
    from: { kind: 'fromObject', object, at },
    fromPaths: [],
    orderBy: [],
    forClauses: [],
    updateClauses: [],
    at,
  }
}

/** `USING ListView = Recent` */
function parseListView(stream: TokenStream): Name | undefined {
  if (!stream.skip('USING')) return undefined
  stream.expect('LISTVIEW')
  stream.expect('=')
  return parseName(stream)
}

/** A field, or a function with its alias. */
const parseReturnedItem = (stream: TokenStream): PlainItem => {
  const item = parseUnnamedItem(stream)
  return item.kind === 'function' && !CLAUSES.has(stream.current.key)
    ? { ...item, alias: parseReturnedAlias(stream) }
    : item
}

/** Words that may stand behind the last item. */
const CLAUSES: ReadonlySet<string> = new Set(['USING', 'WHERE', 'ORDER', 'LIMIT', 'OFFSET'])

function parseReturnedAlias(stream: TokenStream): Name | undefined {
  return stream.current.kind === 'word' ? parseName(stream) : undefined
}

/** `Account(Id, Name USING ListView = Recent WHERE ... ORDER BY ... LIMIT 5)`: a query without SELECT and FROM. */
export function parseReturned(stream: TokenStream): Returned {
  const object = parseName(stream)
  if (!stream.is('(')) return { query: makeIdQuery(stream.text, object) }
  return stream.parenthesized(() => {
    const items = stream.list(parseReturnedItem)
    const before = parseListView(stream)
    const where = stream.skip('WHERE') ? parseCondition(stream) : undefined
    const listView = before ?? parseListView(stream)
    const orderBy = parseOrderBy(stream)
    const limit = stream.skip('LIMIT') ? parseCount(stream) : undefined
    const offset = stream.skip('OFFSET') ? parseCount(stream) : undefined
    return { query: { ...makeQuery(stream.text, object, items), where, orderBy, limit, offset }, listView }
  })
}

/** `IN NAME FIELDS` */
function parseGroups(stream: TokenStream): Search['groups'] {
  if (!stream.skip('IN')) return undefined
  const name = stream.expectOneOf(Object.keys(FIELD_GROUPS))
  stream.expect('FIELDS')
  return FIELD_GROUPS[name]
}

function parseClauses(text: string, from: number): Omit<Search, 'words' | 'expression'> {
  const stream = new TokenStream(text, from)
  const groups = parseGroups(stream)
  const returning = stream.skip('RETURNING') ? stream.list(parseReturned) : undefined
  checkObjectCount(returning?.length ?? 0)
  const { labels } = parseWith(stream)
  const limit = stream.skip('LIMIT') ? parseCount(stream).value : MAX_FOUND
  if (stream.skip('UPDATE')) stream.list(() => stream.expectOneOf(['TRACKING', 'VIEWSTAT']))
  if (stream.current.kind !== 'end') throw stream.unexpected()
  return { groups, returning, limit: Math.min(limit, MAX_FOUND), labels }
}

/**
 * Reads `FIND {words} IN NAME FIELDS RETURNING Account(Id, Name WHERE ... LIMIT 5) LIMIT 20`.
 * @param lenient whether reserved characters may come without a backslash
 * @throws ApiError MALFORMED_SEARCH (docs/reference/api/search.md#search)
 */
export function parseSearch(text: string, lenient: boolean): Search {
  checkSearchLength(text.length)
  const match = FIND.exec(text)
  if (match === null) {
    throw malformedSearch(text, 0, 'No search term found. The search term must be enclosed in braces.')
  }
  const words = match[1]!
  const start = match[0].length - 1 - words.length
  if (!lenient) checkEscaped(text, start, words)
  return withSearchErrors(() => ({
    words: words.trim(),
    expression: parseWords(text, start, start + words.length),
    ...parseClauses(text, match[0].length),
  }))
}
