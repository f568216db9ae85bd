import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { isSearchable } from '../schema/change/search-index.sql.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { analyzeQuery } from '../soql/analyze/analyze.ts'
import { makeQueryContext } from '../soql/analyze/query-context.ts'
import { compileRecords, type RecordQuery } from '../soql/compile/compile.ts'
import type { Query } from '../soql/parse/tree.ts'
import type { Filter } from '../soql/plan/plan.ts'
import { makeDecodeContext } from '../soql/run-query.ts'
import { querySql } from '../soql/sql/statement.sql.ts'
import { idQuery } from './parse-search.ts'
import type { Search } from './search.ts'
import { asSearch, malformedSearch } from './search-error.ts'
import { type SearchLabels, searchLabels } from './search-labels.ts'

/** Longer texts find nothing. (docs/reference/api/search.md#search) */
const MAX_LENGTH = 10_000

/** What stands in a search text but in no name. */
const MARKS = /[*?"\\\0]/g

/** What a search found, object by object. (docs/reference/api/search.md#search) */
export interface Found {
  readonly searchRecords: readonly RecordBody[]
  readonly metadata?: SearchLabels
}

/** A query for what is returned, with the search as one more condition. */
function compileReturned(ctx: Context, query: Query, search: Search): RecordQuery {
  const plan = asSearch(() => analyzeQuery(query, ctx.visible, ctx.version))
  const [root] = plan.sources
  if (plan.kind !== 'records') {
    throw malformedSearch(query.text, query.at, 'RETURNING takes fields, not rows that sum up')
  }
  if (!isSearchable(root.object)) {
    throw new ApiError('INVALID_TYPE', `entity type ${root.object.name} does not support search`)
  }
  const found: Filter = {
    kind: 'search',
    source: root,
    search: search.expression,
    groups: search.groups,
  }
  const filter: Filter = plan.filter === undefined ? found : { kind: 'and', terms: [found, plan.filter] }
  return compileRecords({ ...plan, filter, relevance: search.words.replaceAll(MARKS, '') }, ctx.visible)
}

/** Ids of everything that can be searched. */
function everyObject({ visible }: Context): Query[] {
  return visible.objects
    .filter(isSearchable)
    .map(({ name }) => idQuery('', { kind: 'name', text: name, at: 0 }))
}

/** A limit over all objects is shared evenly among them. */
function share(found: readonly (readonly RecordBody[])[], limit: number): RecordBody[] {
  const shares = found.map(() => 0)
  let left = limit
  for (let given = -1; given !== left && left > 0; ) {
    given = left
    for (const [index, records] of found.entries()) {
      if (left === 0 || shares[index]! >= records.length) continue
      shares[index]!++
      left--
    }
  }
  return found.flatMap((records, index) => records.slice(0, shares[index]))
}

/**
 * Finds records by their words.
 * @throws ApiError MALFORMED_SEARCH, and what a query of the returned fields would be refused with
 */
export async function runSearch(ctx: Context, search: Search): Promise<Found> {
  const queries = (search.returning ?? everyObject(ctx)).map((query) => compileReturned(ctx, query, search))
  const queryContext = makeQueryContext(ctx, false)
  const decoding = makeDecodeContext(ctx)
  const found: RecordBody[][] = []
  for (const query of search.words.length > MAX_LENGTH ? [] : queries) {
    const max = Math.min(query.plan.limit ?? search.limit, search.limit)
    const rows = await ctx.db.rows(querySql.first(ctx.org, query, queryContext, max))
    found.push(rows.map((row) => query.shape.read(row, 0, decoding)!))
  }
  const searchRecords = share(found, search.limit)
  if (!search.labels) return { searchRecords }
  return { searchRecords, metadata: searchLabels(queries.map(({ plan }) => plan.selection)) }
}
