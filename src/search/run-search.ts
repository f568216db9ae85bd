import { decodeInSlices } from '../access/decode-in-slices.ts'
import { ApiError } from '../base/api-error.ts'
import type { Sql } from '../base/sql.ts'
import type { Context } from '../context.ts'
import { loadSearchSpans } from '../schema/change/search-indexes.ts'
import { isSearchable } from '../schema/change/search-words.sql.ts'
import type { Field } from '../schema/fields/field.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { loadUsedObjects } from '../schema/snapshot/used-objects.ts'
import { analyzeQuery } from '../soql/analyze/analyze.ts'
import { loadQueryContext } from '../soql/analyze/load-query-context.ts'
import { compileRecords, type RecordQuery } from '../soql/compile/compile.ts'
import type { Filter, RecordPlan, Selection } from '../soql/plan/plan.ts'
import { makeDecodeContext } from '../soql/run-query.ts'
import { querySql } from '../soql/sql/statement.sql.ts'
import { applyListView } from './apply-list-view.ts'
import { makeIdQuery } from './parse-search.ts'
import type { Returned, Search } from './search.ts'
import { malformedSearch, withSearchErrors } from './search-error.ts'

/** Labels of the returned fields, for display. (docs/reference/api/search.md#parameters) */
interface SearchLabels {
  readonly entityMetadata: readonly {
    readonly entityName: string
    readonly fieldMetadata: readonly { readonly name: string; readonly label: string }[]
  }[]
}

function makeSearchLabels(selections: readonly Selection[]): SearchLabels {
  return {
    entityMetadata: selections.map(({ source, members }) => ({
      entityName: source.object.name,
      fieldMetadata: members
        .filter((member): member is Field => !('kind' in member))
        .map(({ name, label }) => ({ name, label })),
    })),
  }
}

/** Searches longer than this many characters find nothing. (docs/reference/api/search.md#search) */
const MAX_LENGTH = 10_000

/** A search that takes longer than this reads so many records that it requests an index of them. */
const SLOW_SEARCH_MS = 25

/** Characters that are syntax in searches and do not occur in names. */
const MARKS = /[*?"\\\0]/g

/** The found records, in the order of the objects. (docs/reference/api/search.md#search) */
interface SearchResult {
  readonly searchRecords: readonly RecordBody[]
  readonly metadata?: SearchLabels
}

/** Analyzes a query of RETURNING. */
async function analyzeReturned(ctx: Context, returned: Returned): Promise<RecordPlan> {
  const query = await applyListView(ctx, returned)
  const plan = withSearchErrors(() => analyzeQuery(query, ctx.visible, ctx.version))
  if (plan.kind !== 'records') {
    throw malformedSearch(query.text, query.at, 'RETURNING takes fields, not aggregate functions')
  }
  const [{ object }] = plan.sources
  if (!isSearchable(object)) {
    throw new ApiError('INVALID_TYPE', `entity type ${object.name} does not support search`)
  }
  return plan
}

/** Compiles the queries with the search as an additional condition. */
async function compileReturned(
  ctx: Context,
  plans: readonly RecordPlan[],
  search: Search,
): Promise<RecordQuery[]> {
  const spansOf = await loadSearchSpans(
    ctx.db,
    ctx.org,
    plans.map(({ sources }) => sources[0].object),
  )
  return plans.map((plan) => {
    const [source] = plan.sources
    const found: Filter = {
      kind: 'search',
      source,
      search: search.expression,
      groups: search.groups,
      indexed: spansOf(source.object),
    }
    const filter: Filter = plan.filter === undefined ? found : { kind: 'and', terms: [found, plan.filter] }
    return compileRecords({ ...plan, filter, relevance: search.words.replaceAll(MARKS, '') }, ctx.visible)
  })
}

/** The ids of all searchable objects. */
function makeIdQueries({ visible }: Context): Returned[] {
  return visible.objects
    .filter(isSearchable)
    .map(({ name }) => ({ query: makeIdQuery('', { kind: 'name', text: name, at: 0 }) }))
}

/**
 * Reads the rows of one object. An object that the search names gets an index; so does one that takes long without:
 * before that, each of its texts is read.
 * @param statement undefined: it has no records
 */
async function findRows(
  ctx: Context,
  { plan, format }: RecordQuery,
  search: Search,
  statement: Sql | undefined,
  max: number,
) {
  const begunAt = performance.now()
  try {
    if (statement === undefined) return []
    const { rows, isCut } = await ctx.answer.rows({
      db: ctx.db,
      statement,
      width: format.width,
      max,
    })
    if (isCut) throw ctx.answer.tooLarge()
    return rows
  } finally {
    const isSlow = performance.now() - begunAt > SLOW_SEARCH_MS
    if (search.returning !== undefined || isSlow) ctx.searchIndexes.searched(plan.sources[0].object, isSlow)
  }
}

/** Applies the overall limit, shared evenly among the objects. */
function shareLimit(found: readonly (readonly RecordBody[])[], limit: number): RecordBody[] {
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
 * @throws ApiError MALFORMED_SEARCH, and the errors of a query for the returned fields
 */
export async function runSearch(ctx: Context, search: Search): Promise<SearchResult> {
  const plans: RecordPlan[] = []
  for (const returned of search.returning ?? makeIdQueries(ctx)) {
    plans.push(await analyzeReturned(ctx, returned))
  }
  const queries = await compileReturned(ctx, plans, search)
  const objects = plans.map(({ sources }) => sources[0].object)
  const used = new Set(await loadUsedObjects(ctx.db, ctx.org, objects))
  const decodeContext = makeDecodeContext(ctx)
  const found: RecordBody[][] = []
  for (const query of search.words.length > MAX_LENGTH ? [] : queries) {
    const queryContext = await loadQueryContext(ctx, query.plan, false)
    const max = Math.min(query.plan.limit ?? search.limit, search.limit)
    const isUsed = used.has(query.plan.sources[0].object)
    const statement = isUsed ? querySql.first(ctx.org, query, queryContext, max) : undefined
    const rows = await findRows(ctx, query, search, statement, max)
    const decoding = { open: decodeContext.open, deadline: ctx.deadline }
    const records = await decodeInSlices(decoding, function* (open) {
      const how = { ...decodeContext, open }
      const read: RecordBody[] = []
      for (const row of rows) {
        read.push(query.format.read(row, 0, how)!)
        yield
      }
      return read
    })
    found.push(records)
  }
  const searchRecords = shareLimit(found, search.limit)
  if (!search.labels) return { searchRecords }
  return { searchRecords, metadata: makeSearchLabels(queries.map(({ plan }) => plan.selection)) }
}
