import { ApiError } from '../../base/api-error.ts'
import { outcomeUnknown, serverTooBusy } from '../../base/server-too-busy.ts'
import { databaseFault, isOutdatedPlan } from './pg-error.ts'

/** Other calls held locks on the records for too long. */
export const lockedRow = (cause?: unknown) =>
  new ApiError('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record', { cause })

/** The error for a client when the database failed for a reason unrelated to the request; undefined for other errors. */
export function faultError(thrown: unknown): ApiError | undefined {
  switch (databaseFault(thrown)?.kind) {
    case 'locked':
      return lockedRow(thrown)
    case 'cancelled':
      return new ApiError('QUERY_TIMEOUT', 'Your query request was running for too long.', { cause: thrown })
    case 'outdated':
      if (!isOutdatedPlan(thrown)) return undefined
      return new ApiError('SERVER_UNAVAILABLE', 'The schema is being changed. Send the call again.', {
        cause: thrown,
        retryAfterSeconds: 1,
      })
    case 'unreachable':
      return serverTooBusy(thrown)
    case 'unknown outcome':
      return outcomeUnknown(thrown)
    default:
      return undefined
  }
}
