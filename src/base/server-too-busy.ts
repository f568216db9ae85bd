import { ApiError } from './api-error.ts'

/** No part of the call was carried out; it may succeed later. */
export const serverTooBusy = (cause?: unknown, message = 'Server Too Busy') =>
  new ApiError('SERVER_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 })

/** The database may have carried out the call before the connection broke. No `Retry-After`: a repeated call may run twice. */
export const outcomeUnknown = (cause?: unknown) =>
  new ApiError(
    'SERVER_UNAVAILABLE',
    'The connection to the database was lost while the call was being carried out, so its outcome is unknown. Read the records before you send the call again.',
    { cause, isOutcomeUnknown: true },
  )
