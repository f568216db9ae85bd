import { ApiError } from '../base/api-error.ts'

/** The org has used up its calls of the last 24 hours. (docs/reference/api/limits-and-versions.md#refusals) */
export const totalRequestsUsedUp = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')

/** The caller exceeded its rate of calls per second. */
export const tooManyCallsPerSecond = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'RequestsPerSecond Limit exceeded.', { retryAfterSeconds: 1 })

/** Too many long calls are running. (docs/reference/api/limits-and-versions.md#refusals) */
export const tooManyLongCalls = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.')
