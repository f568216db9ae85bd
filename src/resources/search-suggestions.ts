import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { namedObject } from '../records/write/named-object.ts'
import { isSearchable } from '../schema/change/search-words.sql.ts'
import { findSummaryFields } from '../schema/describe/compact-layout.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { runSearch } from '../search/run-search.ts'
import { makeSearch } from '../search/search-parameters.ts'
import { splitWords } from '../search/split-words.ts'
import { countIn } from './requested-count.ts'

/** Maximum number of objects in a request for layouts or suggestions. */
const MAX_OBJECTS = 100
/** Versions that brought suggestions, and the order of objects. */
const SUGGESTIONS_SINCE = 32
const SCOPE_SINCE = 24

/** How many recently viewed records tell which objects come first. */
const MAX_RECENT = 200

/** Objects whose records the caller viewed recently, the last one first; then all others by name. */
async function orderObjects(ctx: Context): Promise<readonly ObjectType[]> {
  const { objects } = ctx.visible
  const byPrefix = new Map(objects.map((object) => [object.keyPrefix, object]))
  const recent = await ctx.recent.list(ctx.db, MAX_RECENT)
  const viewed = recent.map((id) => byPrefix.get(id.slice(0, 3))).filter((object) => object !== undefined)
  const others = [...objects].sort((a, b) => (a.name < b.name ? -1 : 1))
  return [...new Set([...viewed, ...others])].filter(isSearchable)
}

const scopeOrder: Handler<object> = async (ctx) => {
  const body = (await orderObjects(ctx)).map(({ name }) => ({
    type: name,
    url: `${ctx.version.path}/sobjects/${name}/describe`,
  }))
  return { status: 200, body }
}

/** `Account,Contact`: the objects that a parameter names. */
function objectsIn(ctx: Context, call: Call, parameter: string): ObjectType[] {
  const names = (call.query.get(parameter) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0 || names.length > MAX_OBJECTS) {
    throw new ApiError(
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      `${parameter} has to name objects, ${MAX_OBJECTS} at most`,
    )
  }
  return names.map((name) => namedObject(ctx, name))
}

/** Rows that a page of results shows first. */
const LIMIT_ROWS = 25

const findFormat = ({ type }: Field) => (['date', 'datetime'].includes(type.literal) ? type.literal : null)

const layouts: Handler<object> = (ctx, call) => {
  const body = objectsIn(ctx, call, 'q').map((object) => ({
    label: 'Search Results',
    limitRows: LIMIT_ROWS,
    objectType: object.name,
    searchColumns: findSummaryFields(object).map((field) => ({
      field: `${object.name}.${field.name}`,
      format: findFormat(field),
      label: field.label,
      name: field.name,
    })),
  }))
  return { status: 200, body }
}

const USUAL_SUGGESTIONS = 5
const MAX_SUGGESTIONS = 200

/** The words as typed, the last of which may go on; undefined: too short to suggest anything. */
function makeWords(typed: string): string | undefined {
  const words = splitWords(typed)
    .map(({ text }) => text)
    .filter((text) => text !== '')
  if (words.join('').length < 2) return undefined
  // In quotes `and` is no operator.
  return [...words.slice(0, -1).map((word) => `"${word}"`), `${words.at(-1)}*`].join(' ')
}

const suggestions: Handler<object> = async (ctx, call) => {
  const typed = call.query.get('q')
  if (typed === null) throw new ApiError('MALFORMED_SEARCH', 'A search string has to be specified')
  const objects = objectsIn(ctx, call, 'sobject')
  const limit = countIn(call, 'limit', USUAL_SUGGESTIONS, 1, MAX_SUGGESTIONS)
  const q = makeWords(typed)
  if (q === undefined) return { status: 200, body: { autoSuggestResults: [], hasMoreResults: false } }
  const more = (call.query.get('fields') ?? '').split(',').map((name) => name.trim())
  const where = call.query.get('where') ?? undefined
  const sobjects = objects.map(({ name, nameField }) => {
    const fields = ['Id', ...(nameField === undefined ? [] : [nameField.name]), ...more]
    const seen = new Map(fields.filter((field) => field !== '').map((field) => [field.toLowerCase(), field]))
    return { name, fields: [...seen.values()], where }
  })
  const search = makeSearch({ q, in: 'NAME', sobjects, overallLimit: limit + 1 })
  const { searchRecords } = await runSearch(ctx, search)
  const autoSuggestResults = searchRecords.slice(0, limit)
  return { status: 200, body: { autoSuggestResults, hasMoreResults: searchRecords.length > limit } }
}

/** Resources around searches: scope, result layouts and suggestions. (docs/reference/api/search.md#around-a-search) */
export const searchSuggestionRoutes = [
  route('GET', '/search/scopeOrder', 'search', scopeOrder, SCOPE_SINCE),
  route('GET', '/search/layout', 'search', layouts, SCOPE_SINCE),
  route('GET', '/search/suggestions', 'search', suggestions, SUGGESTIONS_SINCE),
]
