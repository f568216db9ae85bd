import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'

/**
 * A whole number in a parameter of the address, within bounds; `usual` when it is absent.
 * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE
 */
export function countIn(call: Call, name: string, usual: number, least: number, max: number): number {
  const text = call.query.get(name)
  if (text === null) return usual
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= max) return count
  const message = `Value for parameter ${name} is a whole number from ${least} to ${max}: ${text.slice(0, 255)}`
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)
}
