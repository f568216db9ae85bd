import { ApiError } from '../../base/api-error.ts'
import type { Variables } from '../document/variables.ts'

/** How many records a connection gives that is not told, and at most. (docs/reference/api/graphql.md#pages, docs/reference/api/graphql.md#limits) */
const USUAL = 10
const MAX = 2000
const LEAST_WITH_BOUND = 200
/** How far `after` leads without `upperBound`. */
const FURTHEST = 4000

/** Which rows of all that match a page has. */
export interface Page {
  /** Number of its first row, from 0 on. */
  readonly start: number
  /** How many at most. */
  readonly size: number
  /** Nothing comes behind so many rows, whatever matches. */
  readonly bound: number
}

const illegal = (message: string) => new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)

/** The cursor of a row by its number. Any other text is none. (docs/reference/api/graphql.md#pages) */
export const cursorOf = (index: number): string => Buffer.from(`v1:${index}`).toString('base64')

function indexOf(cursor: string): number {
  const match = /^v1:(0|[1-9]\d{0,8})$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))
  if (match === null) throw illegal(`'${cursor.slice(0, 255)}' is not a valid cursor`)
  return Number(match[1])
}

const startOf = (after: unknown): number => (typeof after === 'string' ? indexOf(after) + 1 : 0)

function sizeOf(first: unknown, usual: number): number {
  const size = typeof first === 'number' ? first : usual
  if (size < 1 || size > MAX) throw illegal(`first must be between 1 and ${MAX}`)
  return size
}

/**
 * The page that `first`, `after` and `upperBound` ask for.
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
export function pageOf({ first, after, upperBound }: Variables): Page {
  const start = startOf(after)
  if (typeof upperBound === 'number') {
    if (typeof first !== 'number' || first < LEAST_WITH_BOUND || first > MAX) {
      throw illegal(`With upperBound, first must be between ${LEAST_WITH_BOUND} and ${MAX}`)
    }
    return { start, size: Math.max(Math.min(first, upperBound - start), 0), bound: upperBound }
  }
  const size = sizeOf(first, USUAL)
  if (start >= FURTHEST) {
    throw illegal(`At most ${FURTHEST} records can be reached with after: use upperBound to go further`)
  }
  return { start, size: Math.min(size, FURTHEST - start), bound: Number.POSITIVE_INFINITY }
}

/**
 * The page of groups that is asked for: all that there may be without `first`. (docs/reference/api/graphql.md#aggregates)
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
export function groupsPageOf({ first, after }: Variables): Page {
  return { start: startOf(after), size: sizeOf(first, MAX), bound: Number.POSITIVE_INFINITY }
}
