import { ApiError } from '../base/api-error.ts'

/** The org has used up its calls of the last 24 hours. (docs/reference/api/limits-and-versions.md#refusals) */
export const totalRequestsUsedUp = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')

/** The caller exceeded its rate of calls per second. */
export const tooManyCallsPerSecond = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'RequestsPerSecond Limit exceeded.', { retryAfterSeconds: 1 })

/** As many events were sent to clients in 24 hours as the org may have. (docs/reference/api/limits-and-versions.md#events) */
export const deliveriesUsedUp = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'You have exceeded the event delivery limit for your org.')

/** As many platform events were published in an hour as the org may have. */
export const publishesUsedUp = () =>
  new ApiError('LIMIT_EXCEEDED', 'You have exceeded the hourly limit of published events for your org.')

/** Too many long calls are running. (docs/reference/api/limits-and-versions.md#refusals) */
export const tooManyLongCalls = () =>
  new ApiError('REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.')
