import { ApiError } from './api-error.ts'

/** Nothing of the call was carried out; another time it would be. */
export const serverTooBusy = (cause?: unknown) =>
  new ApiError('SERVER_UNAVAILABLE', 'Server Too Busy', { cause, retryAfterSeconds: 1 })

/** The database may have carried out the call before the connection broke. Without `Retry-After`: sent again it may be done twice. */
export const outcomeUnknown = (cause?: unknown) =>
  new ApiError(
    'SERVER_UNAVAILABLE',
    'The connection to the database was lost while the call was being carried out, so its outcome is unknown. Read the records before you send the call again.',
    { cause, isOutcomeUnknown: true },
  )
