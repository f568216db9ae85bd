import { ApiError } from '../../base/api-error.ts'
import { outcomeUnknown, serverTooBusy } from '../../base/server-too-busy.ts'
import { databaseFault, isOutdatedPlan } from './pg-error.ts'

/** Others held the records for too long. */
export const lockedRow = (cause?: unknown) =>
  new ApiError('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record', { cause })

/** What a client is told of a failure of the database that says nothing about what he sent; undefined: it is none. */
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
