import { ApiError } from '../base/api-error.ts'

/** The org has used up its calls of the last 24 hours. (docs/reference/api/limits-and-versions.md#refusals) */
export const totalRequestsUsedUp = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')

/** The caller makes too many calls in one second. */
export const tooManyCallsPerSecond = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'RequestsPerSecond Limit exceeded.', { retryAfterSeconds: 1 })

/** Too many calls have been running for long. (docs/reference/api/limits-and-versions.md#refusals) */
export const tooManyLongCalls = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.')
