import { parseCondition } from './parse-condition.ts'
import { parseFromObject, parseFromPaths } from './parse-from.ts'
import { parseGrouping } from './parse-grouping.ts'
import { parseCount } from './parse-literal.ts'
import { parseName } from './parse-name.ts'
import { parseOrderBy } from './parse-order.ts'
import { parseSelect } from './parse-select.ts'
import { parseWith } from './parse-with.ts'
import { malformedQuery } from './query-error.ts'
import { TokenStream } from './token-stream.ts'
import type { ForClause, Query, UpdateClause, UsingScope } from './tree.ts'

const MAX_QUERY_CHARACTERS = 100_000

/**
 * Parses the text of a query into its tree. Every error is an `ApiError` with MALFORMED_QUERY. The parser knows no
 * objects and fields: analysis resolves them. (docs/reference/api/queries.md#text-of-a-query, docs/reference/api/queries.md#grammar)
 */
export function parseQuery(text: string): Query {
  if (text.length > MAX_QUERY_CHARACTERS) {
    throw malformedQuery(`SOQL statements can not be longer than ${MAX_QUERY_CHARACTERS} characters`)
  }
  const stream = new TokenStream(text)
  const { at } = stream.current
  // Clauses appear in this order; an absent one consumes no tokens.
  const items = parseSelect(stream)
  const from = parseFromObject(stream)
  const fromPaths = parseFromPaths(stream)
  const scope = parseScope(stream)
  const where = stream.skip('WHERE') ? parseCondition(stream) : undefined
  const withClause = parseWith(stream)
  const grouping = parseGrouping(stream)
  const having = grouping !== undefined && stream.skip('HAVING') ? parseCondition(stream) : undefined
  const orderBy = parseOrderBy(stream)
  const limit = stream.skip('LIMIT') ? parseCount(stream) : undefined
  const offset = stream.skip('OFFSET') ? parseCount(stream) : undefined
  const forClauses = parseForClauses(stream)
  const updateClauses = stream.skip('UPDATE') ? stream.list(parseUpdateClause) : []
  if (stream.current.kind !== 'end') throw stream.unexpected()
  return {
    kind: 'query',
    text,
    items,
    from,
    fromPaths,
    scope,
    where,
    with: withClause,
    grouping,
    having,
    orderBy,
    limit,
    offset,
    forClauses,
    updateClauses,
    at,
  }
}

function parseScope(stream: TokenStream): UsingScope | undefined {
  const { at } = stream.current
  if (!stream.skip('USING')) return
  stream.expect('SCOPE')
  return { kind: 'scope', name: parseName(stream), at }
}

function parseForClauses(stream: TokenStream): readonly ForClause[] {
  const clauses: ForClause[] = []
  while (stream.is('FOR')) {
    const { at } = stream.take()
    clauses.push({ kind: 'for', purpose: stream.expectOneOf(['VIEW', 'REFERENCE', 'UPDATE']), at })
  }
  return clauses
}

function parseUpdateClause(stream: TokenStream): UpdateClause {
  const { at } = stream.current
  return { kind: 'update', target: stream.expectOneOf(['TRACKING', 'VIEWSTAT']), at }
}
