import { ApiError } from '../base/api-error.ts'

/** Another time the call would be carried out. */
export const serverTooBusy = (cause?: unknown) =>
  new ApiError('SERVER_UNAVAILABLE', 'Server Too Busy', { cause })
