import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, route } from '../calls/route.ts'
import { assistQuery } from '../soql/assist/assist.ts'
import { columnMetadata } from '../soql/compile/column-metadata.ts'
import { compileQuery } from '../soql/compile/compile.ts'
import { explainQuery } from '../soql/explain.ts'
import { answerNextPage, answerQuery } from '../soql/run-query.ts'
import { queryOfView } from './list-views.ts'
import { getPageSize } from './requested-count.ts'

const isTrue = (call: Call, parameter: string) => call.query.get(parameter)?.toLowerCase() === 'true'

/** @throws ApiError MALFORMED_QUERY if the call has no query */
export function readQuery(call: Call): string {
  const text = call.query.get('q')
  if (text !== null && text.trim() !== '') return text
  throw new ApiError('MALFORMED_QUERY', 'A query string has to be specified')
}

const query =
  (deletedToo: boolean): Handler<object> =>
  async (ctx, call) => {
    const explained = call.query.get('explain')
    if (explained !== null) {
      const statement = isTrue(call, 'statement') && ctx.access.has('ViewSetup')
      // A list view is explained by its id.
      const requested = queryOfView(ctx, explained) ?? explained
      return { status: 200, body: await explainQuery(ctx, requested, { deletedToo, statement }) }
    }
    const text = readQuery(call)
    if (isTrue(call, 'columns')) {
      return { status: 200, body: columnMetadata(compileQuery(text, ctx.visible, ctx.version)) }
    }
    return {
      status: 200,
      body: await answerQuery(ctx, text, { pageSize: getPageSize(ctx, call), deletedToo }),
    }
  }

const nextPage: Handler<{ locator: string }> = async (ctx, _call, params) => ({
  status: 200,
  body: await answerNextPage(ctx, params.locator),
})

const MAX_ASSISTED_CHARACTERS = 100_000

const assist: Handler<object> = (ctx, call) => {
  const envelope = readEnvelope(call, ['query', 'position'])
  const text = envelope.required('query', envelope.text('query'))
  if (text.length > MAX_ASSISTED_CHARACTERS)
    throw envelope.refusal(`"query" has at most ${MAX_ASSISTED_CHARACTERS} characters`, 'query')
  const position = envelope.count('position')
  if (position !== undefined && position > text.length)
    throw envelope.refusal('"position" is behind the end of "query"', 'position')
  return { status: 200, body: assistQuery(text, ctx.visible, ctx.version, position) }
}

/** Queries and their further pages. (docs/reference/api/queries.md#query-resource) */
export const queryRoutes = [
  route('GET', '/query', 'query', query(false)),
  route('GET', '/queryAll', 'query', query(true)),
  route('GET', '/queryAll/:locator', 'query', nextPage),
  route('POST', '/query/assist', 'platform', assist),
  route('GET', '/query/:locator', 'query', nextPage),
]
