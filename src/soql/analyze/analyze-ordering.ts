import { ApiError } from '../../base/api-error.ts'
import type { Expression } from '../parse/function-call.ts'
import { refusal } from '../parse/refusal.ts'
import type { OrderItem } from '../parse/tree.ts'
import { factsOf } from '../plan/operand.ts'
import type { Operand, Ordering } from '../plan/plan.ts'
import { analyzeOperand } from './analyze-operand.ts'
import type { Scope } from './scope.ts'

/**
 * What ORDER BY means; nulls come first unless said otherwise. (docs/reference/api/queries.md#order-limit-and-offset)
 * @param check refuses what is neither grouped nor summed up
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
      throw new ApiError('MALFORMED_QUERY', 'ORDER BY an aggregate function needs GROUP BY')
    }
    const facts = factsOf(operand)
    if (!facts.sortable) {
      throw refusal(
        'INVALID_FIELD',
        scope.text,
        by.at,
        `field '${facts.name}' can not be sorted in a query call`,
      )
    }
    return { operand, descending: direction === 'DESC', nullsFirst: nulls !== 'LAST' }
  })
}
