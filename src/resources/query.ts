import { ApiError } from '../base/api-error.ts'
import { type Call, optionHeader } from '../calls/call.ts'
import { type Handler, route } from '../calls/route.ts'
import { columnMetadata } from '../soql/column-metadata.ts'
import { compileQuery } from '../soql/compile.ts'
import { explainQuery } from '../soql/explain.ts'
import { runNextPage, runQuery } from '../soql/run-query.ts'
import { queryOfView } from './list-views.ts'

const DEFAULT_PAGE = 2000
const SMALLEST_PAGE = 200

const NO_MORE = Number.POSITIVE_INFINITY

/** `Svc-Query-Options: batchSize=500`; outside 200 to 2,000 the nearest, garbage is ignored. (interface.md "Query" 1) */
function pageSizeOf(call: Call): number {
  const match = /(?:^|[,;\s])batchSize\s*=\s*(\d{1,9})\s*(?:$|[,;\s])/i.exec(
    optionHeader(call, 'query-options') ?? '',
  )
  if (match === null) return DEFAULT_PAGE
  return Math.min(Math.max(Number(match[1]), SMALLEST_PAGE), DEFAULT_PAGE)
}

const isTrue = (call: Call, parameter: string) => call.query.get(parameter)?.toLowerCase() === 'true'

const query =
  (deletedToo: boolean): Handler<object> =>
  async (ctx, call) => {
    const explained = call.query.get('explain')
    if (explained !== null) {
      const statement = isTrue(call, 'statement') && ctx.access.has('ViewSetup')
      // A list view is explained by its id.
      const asked = queryOfView(ctx, explained) ?? explained
      return { status: 200, body: await explainQuery(ctx, asked, { deletedToo, statement }) }
    }
    const text = call.query.get('q')
    if (text === null || text.trim() === '') {
      throw new ApiError('MALFORMED_QUERY', 'A query string has to be specified')
    }
    if (isTrue(call, 'columns')) {
      return { status: 200, body: columnMetadata(compileQuery(text, ctx.visible, ctx.version)) }
    }
    const pageSize = Math.min(pageSizeOf(call), ctx.faults?.pageRows ?? NO_MORE)
    return { status: 200, body: await runQuery(ctx, text, { pageSize, deletedToo }) }
  }

const nextPage: Handler<{ locator: string }> = async (ctx, _call, params) => ({
  status: 200,
  body: await runNextPage(ctx, params.locator),
})

/** Queries and their further pages. (interface.md "Query") */
export const queryRoutes = [
  route('GET', '/query', 'query', query(false)),
  route('GET', '/queryAll', 'query', query(true)),
  route('GET', '/queryAll/:locator', 'query', nextPage),
  route('GET', '/query/:locator', 'query', nextPage),
]
