import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import type { Reply } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { parseSearch } from '../search/parse-search.ts'
import { runSearch } from '../search/run-search.ts'
import type { Search } from '../search/search.ts'
import { makeSearch, type SearchedObject, type SearchParameters } from '../search/search-parameters.ts'

/** Before this version the records come without an envelope. (docs/reference/api/search.md#search) */
const ENVELOPE_SINCE = 37

/** Version that brought searches by parameters. */
export const PARAMETERS_SINCE = 36

async function searchReply(ctx: Context, search: Search): Promise<Reply> {
  const found = await runSearch(ctx, search)
  return { status: 200, body: ctx.version.major < ENVELOPE_SINCE ? found.searchRecords : found }
}

const search: Handler<object> = (ctx, call) => {
  const text = call.query.get('q')
  if (text === null || text.trim() === '') {
    throw new ApiError('MALFORMED_SEARCH', 'A search string has to be specified')
  }
  return searchReply(ctx, parseSearch(text, ctx.settings.lenient))
}

const given = (text: string | null) => text ?? undefined

function count(call: Call, name: string): number | undefined {
  const text = call.query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,9}$/.test(text)) {
    throw new ApiError(
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      `Value for parameter ${name} is invalid: ${text.slice(0, 255)}`,
    )
  }
  return Number(text)
}

/** `fields=Id,Name`: at the commas that stand in no parentheses. */
const pieces = (text: string | null) =>
  text?.match(/(?:[^,(]|\([^)]*(?:\)|$))+/g)?.map((piece) => piece.trim())

/** `sobject=Account&Account.fields=Id,Name&Account.limit=10`; names in the parameters as in `sobject`. */
function objectFromAddress(call: Call, name: string): SearchedObject {
  const { query } = call
  return {
    name,
    fields: pieces(query.get(`${name}.fields`)),
    limit: count(call, `${name}.limit`),
    where: given(query.get(`${name}.where`)),
    orderBy: given(query.get(`${name}.orderBy`)),
  }
}

const searchByAddress: Handler<object> = (ctx, call) => {
  const { query } = call
  const names = query
    .getAll('sobject')
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
  const parameters: SearchParameters = {
    q: given(query.get('q')),
    fields: pieces(query.get('fields')),
    sobjects: names.length === 0 ? undefined : names.map((name) => objectFromAddress(call, name)),
    in: given(query.get('in')),
    overallLimit: count(call, 'overallLimit'),
    defaultLimit: count(call, 'defaultLimit'),
    metadata: given(query.get('metadata')),
  }
  return searchReply(ctx, makeSearch(parameters))
}

const OBJECT_MEMBERS = ['name', 'fields', 'limit', 'where', 'orderBy']

/** The last ones are accepted and change nothing here. */
const MEMBERS = [
  'q',
  'fields',
  'sobjects',
  'in',
  'overallLimit',
  'defaultLimit',
  'metadata',
  'spellCorrection',
  'snippet',
  'updateTracking',
  'updateViewStat',
]

function objectFromBody(envelope: Envelope): SearchedObject {
  const name = envelope.text('name')
  if (name === undefined) throw new ApiError('INVALID_TYPE', 'Each of sobjects needs a name')
  return {
    name,
    fields: envelope.texts('fields'),
    limit: envelope.count('limit'),
    where: envelope.text('where'),
    orderBy: envelope.text('orderBy'),
  }
}

const searchByBody: Handler<object> = (ctx, call) => {
  const envelope = readEnvelope(call, MEMBERS)
  const parameters: SearchParameters = {
    q: envelope.text('q'),
    fields: envelope.texts('fields'),
    sobjects: envelope.envelopes('sobjects', OBJECT_MEMBERS)?.map(objectFromBody),
    in: envelope.text('in'),
    overallLimit: envelope.count('overallLimit'),
    defaultLimit: envelope.count('defaultLimit'),
    metadata: envelope.text('metadata'),
  }
  return searchReply(ctx, makeSearch(parameters))
}

/** Searches by words. (docs/reference/api/search.md#search) */
export const searchRoutes = [
  route('GET', '/search', 'search', search),
  route('GET', '/parameterizedSearch', 'search', searchByAddress, PARAMETERS_SINCE),
  route('POST', '/parameterizedSearch', 'search', searchByBody, PARAMETERS_SINCE),
]
