import type { ApiError } from '../../base/api-error.ts'
import { isRefused, type Outcome } from '../../records/prepare/outcome.ts'

/** An error inside a record's result: `statusCode` where others have `errorCode`. (docs/reference/api/records.md#error-format) */
export const errorBody = (error: ApiError) =>
  error.items.map(({ errorCode, message, fields }) => ({ statusCode: errorCode, message, fields }))

/** Formats the outcome of a record as the results of collections do. (docs/reference/api/composite.md#collections) */
export function outcomeBody(outcome: Outcome): object {
  const created = outcome.created === undefined ? {} : { created: outcome.created }
  if (!isRefused(outcome)) return { id: outcome.id, success: true, errors: [], ...created }
  const id = outcome.id === undefined ? {} : { id: outcome.id }
  return { ...id, success: false, errors: errorBody(outcome.error), ...created }
}
