import { checkOrdered } from '../../soql/analyze/grouping.ts'
import type { Scope } from '../../soql/analyze/scope.ts'
import type { AggregateFunction } from '../../soql/parse/function-names.ts'
import type { Operand, Ordering, Source } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { followParent } from '../queries/follow-parent.ts'
import { type Clause, ordering } from '../queries/order.ts'
import { aggregateMembersOf } from '../types/aggregate-members.ts'
import { keyOf } from './group-by.ts'
import { operandText } from './operand-text.ts'

/**
 * What groups are sorted by: a function of a field's values, or what the groups are made by. The first member decides
 * first. (docs/reference/api/graphql.md#aggregates)
 * @throws ApiError
 */
export function groupOrderingsOf(
  source: Source,
  orderBy: Variables,
  scope: Scope,
  groupBy: readonly Operand[],
): Ordering[] {
  const members = aggregateMembersOf(source.object, scope.statement.schema)
  return Object.entries(orderBy).flatMap(([name, given]): Ordering[] => {
    if (given === null) return []
    const clause = given as Clause
    const member = members.get(name)!
    const ref = { source, field: member.field }
    if (member.kind === 'parent') {
      return groupOrderingsOf(followParent(scope, ref, member.object), clause, scope, groupBy)
    }
    const operand: Operand =
      typeof clause.function === 'string'
        ? { kind: 'aggregate', function: clause.function as AggregateFunction, of: ref }
        : keyOf(ref, groupBy)
    checkOrdered(operand, operandText(operand), groupBy)
    return [ordering(operand, clause)]
  })
}
