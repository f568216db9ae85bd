import type { ApiError, ErrorItem } from '../../base/api-error.ts'
import { isRefused, notesOf, type Outcome, type Written } from '../../records/prepare/outcome.ts'

/** An error inside a record's result: `statusCode` where others have `errorCode`. (docs/reference/api/records.md#error-format) */
const itemBody = ({ errorCode, message, fields }: ErrorItem) => ({ statusCode: errorCode, message, fields })

export const errorBody = ({ items }: ApiError) => items.map(itemBody)

/** The errors of a record that was written: a platform event has one, which says that it was published. */
export const writtenErrors = (outcome: Written) => notesOf(outcome).map(itemBody)

/** Formats the outcome of a record as the results of collections do. (docs/reference/api/composite.md#collections) */
export function outcomeBody(outcome: Outcome): object {
  const created = outcome.created === undefined ? {} : { created: outcome.created }
  if (!isRefused(outcome))
    return { id: outcome.id, success: true, errors: writtenErrors(outcome), ...created }
  const id = outcome.id === undefined ? {} : { id: outcome.id }
  return { ...id, success: false, errors: errorBody(outcome.error), ...created }
}
