import { ApiError } from '../base/api-error.ts'
import { refusal } from '../soql/parse/refusal.ts'

/** A search that is not written right, pointing at its place. (docs/reference/api/search.md#search) */
export const malformedSearch = (text: string, at: number, explanation: string): ApiError =>
  refusal('MALFORMED_SEARCH', text, at, explanation)

const MAX_LENGTH = 100_000

/** @throws ApiError MALFORMED_SEARCH */
export function checkSearchLength(text: string): void {
  if (text.length <= MAX_LENGTH) return
  throw malformedSearch('', 0, `A search cannot be longer than ${MAX_LENGTH} characters`)
}

/** Each is a statement of its own. */
const MOST_OBJECTS = 200

/** @throws ApiError MALFORMED_SEARCH */
export function checkObjectCount(count: number): void {
  if (count <= MOST_OBJECTS) return
  throw malformedSearch('', 0, `A search cannot return more than ${MOST_OBJECTS} objects`)
}

/** Runs what speaks of queries: a query that is not written right is a search that is not. */
export function asSearch<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'MALFORMED_QUERY') {
      throw new ApiError('MALFORMED_SEARCH', error.message)
    }
    throw error
  }
}
