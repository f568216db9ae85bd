import { checkOrdered } from '../../soql/analyze/grouping.ts'
import type { Scope } from '../../soql/analyze/scope.ts'
import type { AggregateFunction } from '../../soql/parse/function-names.ts'
import type { Operand, Ordering, Source } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { followParent } from '../queries/follow-parent.ts'
import { type Clause, makeOrdering } from '../queries/order.ts'
import { getAggregateMembers } from '../types/aggregate-members.ts'
import { formatOperand } from './format-operand.ts'
import { findKey } from './group-by.ts'

/**
 * The sort keys of groups: an aggregate of a field, or a key. The first member sorts
 * first. (docs/reference/api/graphql.md#aggregates)
 * @throws ApiError
 */
export function makeGroupOrderings(
  source: Source,
  orderBy: Variables,
  scope: Scope,
  groupBy: readonly Operand[],
): Ordering[] {
  const members = getAggregateMembers(source.object, scope.statement.schema)
  return Object.entries(orderBy).flatMap(([name, given]): Ordering[] => {
    if (given === null) return []
    const clause = given as Clause
    const member = members.get(name)!
    const ref = { source, field: member.field }
    if (member.kind === 'parent') {
      return makeGroupOrderings(followParent(scope, ref, member.object), clause, scope, groupBy)
    }
    const operand: Operand =
      typeof clause.function === 'string'
        ? { kind: 'aggregate', function: clause.function as AggregateFunction, of: ref }
        : findKey(ref, groupBy)
    checkOrdered(operand, formatOperand(operand), groupBy)
    return [makeOrdering(operand, clause)]
  })
}
