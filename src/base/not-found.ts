import { ApiError } from './api-error.ts'

/** The error for an address that names nothing, and for whatever its caller may not know of. */
export const notFound = (): ApiError => new ApiError('NOT_FOUND', 'The requested resource does not exist')
