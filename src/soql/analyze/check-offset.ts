import { ApiError } from '../../base/api-error.ts'
import type { ChildQuery, Query } from '../parse/tree.ts'

const MAX_OFFSET = 2000

/** (docs/reference/api/queries.md#order-limit-and-offset, docs/reference/api/queries.md#limits) */
export function checkOffset({ offset }: Query | ChildQuery): void {
  if (offset !== undefined && offset.value > MAX_OFFSET) {
    throw new ApiError('NUMBER_OUTSIDE_VALID_RANGE', `Maximum SOQL offset allowed is ${MAX_OFFSET}`)
  }
}
