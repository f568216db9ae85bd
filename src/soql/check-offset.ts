import { ApiError } from '../base/api-error.ts'
import type { ChildQuery, Query } from './tree.ts'

const MOST_OFFSET = 2000

/** (contract/soql 7 and 11) */
export function checkOffset({ offset }: Query | ChildQuery): void {
  if (offset !== undefined && offset.value > MOST_OFFSET) {
    throw new ApiError('NUMBER_OUTSIDE_VALID_RANGE', `Maximum SOQL offset allowed is ${MOST_OFFSET}`)
  }
}
