import { ApiError } from '../base/api-error.ts'

/** Others held the records for too long. */
export const lockedRow = (cause?: unknown) =>
  new ApiError('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record', { cause })
