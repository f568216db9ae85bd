import { ApiError } from './api-error.ts'

/** No part of the call was carried out; it may succeed later. */
export const serverTooBusy = (cause?: unknown, message = 'Server Too Busy') =>
  new ApiError('SERVER_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 })

/** The database may have carried out the call, or a part of it, before it failed. No `Retry-After`: a repeated call may run twice. */
export const outcomeUnknown = (cause?: unknown) =>
  new ApiError(
    'SERVER_UNAVAILABLE',
    'The database failed while the call was being carried out, so its outcome is unknown. Read what the call was to change before you send it again.',
    { cause, isOutcomeUnknown: true },
  )
