import { type Call, optionHeader } from '../calls/call.ts'
import type { Context } from '../context.ts'

const DEFAULT_PAGE = 2000
const SMALLEST_PAGE = 200

const NO_MORE = Number.POSITIVE_INFINITY

/** `Svc-Query-Options: batchSize=500`; outside 200 to 2,000 the nearest, garbage is ignored. (docs/reference/api/queries.md#pages) */
function requestedSize(call: Call): number {
  const match = /(?:^|[,;\s])batchSize\s*=\s*(\d{1,9})(?=$|[,;\s])/i.exec(
    optionHeader(call, 'query-options') ?? '',
  )
  if (match === null) return DEFAULT_PAGE
  return Math.min(Math.max(Number(match[1]), SMALLEST_PAGE), DEFAULT_PAGE)
}

/** Maximum number of records on a page of a reply. */
export const getPageSize = ({ faults }: Context, call: Call): number =>
  Math.min(requestedSize(call), faults?.pageRows ?? NO_MORE)
