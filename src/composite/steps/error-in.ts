import { ApiError } from '../../base/api-error.ts'

/** Runs a check of one record; what is wrong is that record's error. */
export function errorIn(check: () => void): ApiError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
