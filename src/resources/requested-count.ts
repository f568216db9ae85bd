import { ApiError } from '../base/api-error.ts'
import { type Call, optionHeader } from '../calls/call.ts'
import type { Context } from '../context.ts'

/**
 * A whole number in a parameter of the address, within bounds; `usual` when it is absent.
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
export function countIn(call: Call, name: string, usual: number, least: number, max: number): number {
  const text = call.query.get(name)
  if (text === null) return usual
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= max) return count
  const message = `Value for parameter ${name} is a whole number from ${least} to ${max}: ${text.slice(0, 255)}`
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)
}

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
