import { ApiError } from '../../base/api-error.ts'

/** Why a job cannot be of an object. */
export const unsupportedObject = (name: string): ApiError =>
  new ApiError('INVALIDENTITY', `Entity '${name.slice(0, 255)}' is not supported by the Bulk API.`)
