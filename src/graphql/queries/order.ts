import type { Scope } from '../../soql/analyze/scope.ts'
import type { Operand, Ordering, Source } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { getMembers } from '../values/members.ts'
import { followParent } from './follow-parent.ts'
import { followBranch } from './where.ts'

export type Clause = Readonly<Record<string, unknown>>

export function makeOrdering(operand: Operand, { order, nulls }: Clause): Ordering {
  return { operand, descending: order === 'DESC', nullsFirst: nulls !== 'LAST' }
}

/** The sort keys of records; the first member sorts first. (docs/reference/api/graphql.md#order) */
export function makeOrderings(source: Source, orderBy: Variables, scope: Scope): Ordering[] {
  const members = getMembers(source.object, scope.statement.schema)
  return Object.entries(orderBy).flatMap(([name, given]): Ordering[] => {
    if (given === null) return []
    const clause = given as Clause
    const member = members.get(name)!
    switch (member.kind) {
      case 'id':
        return [makeOrdering({ kind: 'field', source, field: source.object.field('Id')! }, clause)]
      case 'value':
        return [makeOrdering({ kind: 'field', source, field: member.field! }, clause)]
      case 'compound': {
        const to = clause.distance as { latitude: number; longitude: number } | null | undefined
        const { field } = member
        return to ? [makeOrdering({ kind: 'distance', source, field, to, unit: 'mi' }, clause)] : []
      }
      case 'parent':
        return makeOrderings(
          followParent(scope, { source, field: member.field }, member.object),
          clause,
          scope,
        )
      case 'anyParent':
        return Object.entries(clause).flatMap(([branch, inner]) =>
          inner === null
            ? []
            : makeOrderings(followBranch(source, member, branch, scope), inner as Clause, scope),
        )
      default:
        return []
    }
  })
}
