import { ApiError } from '../../base/api-error.ts'
import type { Variables } from '../document/variables.ts'

/** Default and maximum page size of a connection, in records. (docs/reference/api/graphql.md#pages, docs/reference/api/graphql.md#limits) */
const DEFAULT_SIZE = 10
const MAX_SIZE = 2000
const MIN_SIZE_WITH_BOUND = 200
/** Maximum number of records reachable with `after` without `upperBound`. */
const MAX_REACHABLE = 4000

/** The range of matching rows on a page. */
export interface Page {
  /** Index of its first row, from 0. */
  readonly start: number
  /** Maximum number of rows. */
  readonly size: number
  /** Upper bound of the result, in rows: no page follows after it. */
  readonly bound: number
}

const illegalValueError = (message: string) => new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)

/** The cursor of a row, from its index. (docs/reference/api/graphql.md#pages) */
export const formatCursor = (index: number): string => Buffer.from(`v1:${index}`).toString('base64')

function parseCursor(cursor: string): number {
  const match = /^v1:(0|[1-9]\d{0,8})$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))
  if (match === null) throw illegalValueError(`'${cursor.slice(0, 255)}' is not a valid cursor`)
  return Number(match[1])
}

const parseStart = (after: unknown): number => (typeof after === 'string' ? parseCursor(after) + 1 : 0)

function parseSize(first: unknown, usual: number): number {
  const size = typeof first === 'number' ? first : usual
  if (size < 1 || size > MAX_SIZE) throw illegalValueError(`first must be between 1 and ${MAX_SIZE}`)
  return size
}

/**
 * The page of `first`, `after` and `upperBound`.
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
export function parsePage({ first, after, upperBound }: Variables): Page {
  const start = parseStart(after)
  if (typeof upperBound === 'number') {
    if (typeof first !== 'number' || first < MIN_SIZE_WITH_BOUND || first > MAX_SIZE) {
      throw illegalValueError(`With upperBound, first must be between ${MIN_SIZE_WITH_BOUND} and ${MAX_SIZE}`)
    }
    return { start, size: Math.max(Math.min(first, upperBound - start), 0), bound: upperBound }
  }
  const size = parseSize(first, DEFAULT_SIZE)
  if (start >= MAX_REACHABLE) {
    throw illegalValueError(
      `At most ${MAX_REACHABLE} records can be reached with after: use upperBound to go further`,
    )
  }
  return { start, size: Math.min(size, MAX_REACHABLE - start), bound: Number.POSITIVE_INFINITY }
}

/**
 * The page of groups; without `first` the maximum size. (docs/reference/api/graphql.md#aggregates)
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
export function parseGroupsPage({ first, after }: Variables): Page {
  return { start: parseStart(after), size: parseSize(first, MAX_SIZE), bound: Number.POSITIVE_INFINITY }
}
