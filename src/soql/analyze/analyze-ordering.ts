import { ApiError } from '../../base/api-error.ts'
import type { Expression } from '../parse/function-call.ts'
import { malformedQuery, queryError } from '../parse/query-error.ts'
import type { ChildQuery, OrderItem, Query } from '../parse/tree.ts'
import { getOperandFacts } from '../plan/operand.ts'
import type { Operand, Ordering } from '../plan/plan.ts'
import { analyzeOperand } from './analyze-operand.ts'
import type { Scope } from './scope.ts'

/**
 * Resolves ORDER BY; nulls come first by default. (docs/reference/api/queries.md#order-limit-and-offset)
 * @param check rejects operands that are neither grouped nor aggregated
 */
export function analyzeOrderings(
  items: readonly OrderItem[],
  scope: Scope,
  check?: (operand: Operand, expression: Expression) => void,
): Ordering[] {
  return items.map(({ by, direction, nulls }) => {
    const operand = analyzeOperand(by, scope)
    check?.(operand, by)
    if (check === undefined && (operand.kind === 'aggregate' || operand.kind === 'grouping')) {
      throw malformedQuery('ORDER BY an aggregate function needs GROUP BY')
    }
    const facts = getOperandFacts(operand)
    if (!facts.sortable) {
      throw queryError(
        'INVALID_FIELD',
        scope.text,
        by.at,
        `field '${facts.name}' can not be sorted in a query call`,
      )
    }
    return { operand, descending: direction === 'DESC', nullsFirst: nulls !== 'LAST' }
  })
}

const MAX_OFFSET = 2000

/** (docs/reference/api/queries.md#order-limit-and-offset, docs/reference/api/queries.md#limits) */
export function checkOffset({ offset }: Query | ChildQuery): void {
  if (offset !== undefined && offset.value > MAX_OFFSET) {
    throw new ApiError('NUMBER_OUTSIDE_VALID_RANGE', `Maximum SOQL offset allowed is ${MAX_OFFSET}`)
  }
}
