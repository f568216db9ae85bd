import { ApiError } from '../base/api-error.ts'
import { queryError } from '../soql/parse/query-error.ts'

/** A syntax error, with its position in the search. (docs/reference/api/search.md#search) */
export const malformedSearch = (text: string, at: number, explanation: string): ApiError =>
  queryError('MALFORMED_SEARCH', text, at, explanation)

const MAX_LENGTH = 100_000

/**
 * @param length of its text in characters
 * @throws ApiError MALFORMED_SEARCH
 */
export function checkSearchLength(length: number): void {
  if (length <= MAX_LENGTH) return
  throw malformedSearch('', 0, `A search cannot be longer than ${MAX_LENGTH} characters`)
}

/** Each object is searched by a statement of its own. */
const MAX_OBJECTS = 200

/** @throws ApiError MALFORMED_SEARCH */
export function checkObjectCount(count: number): void {
  if (count <= MAX_OBJECTS) return
  throw malformedSearch('', 0, `A search cannot return more than ${MAX_OBJECTS} objects`)
}

/** Runs query code for a search: reports MALFORMED_QUERY as MALFORMED_SEARCH. */
export function withSearchErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'MALFORMED_QUERY') {
      throw new ApiError('MALFORMED_SEARCH', error.message)
    }
    throw error
  }
}
