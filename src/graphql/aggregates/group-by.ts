import { makeDatePart } from '../../soql/analyze/analyze-operand.ts'
import { checkSubtotals } from '../../soql/analyze/grouping.ts'
import type { Scope } from '../../soql/analyze/scope.ts'
import type { DateFunction } from '../../soql/parse/function-names.ts'
import { malformedQuery } from '../../soql/parse/query-error.ts'
import type { FieldRef, GroupsPlan, Operand, Source } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { followParent } from '../queries/follow-parent.ts'
import { getAggregateMembers } from '../types/aggregate-members.ts'

/** The keys of groups, and their subtotals. */
export type Grouping = Pick<GroupsPlan, 'grouping' | 'groupBy'>

const SUBTOTALS = { GROUP_BY: 'plain', ROLLUP: 'rollup', CUBE: 'cube' } as const

/** A field as it is, a part of it, or both. */
function makeFieldKeys(ref: FieldRef, { group, function: part }: Variables, scope: Scope): Operand[] {
  const keys: Operand[] = group === true ? [{ kind: 'field', ...ref }] : []
  if (typeof part === 'string') keys.push(makeDatePart(ref, part as DateFunction, false, scope, 0))
  return keys
}

function makeKeys(source: Source, groupBy: Variables, scope: Scope): Operand[] {
  const members = getAggregateMembers(source.object, scope.statement.schema)
  return Object.entries(groupBy).flatMap(([name, given]): Operand[] => {
    if (given === null) return []
    if (name === 'type') throw malformedQuery('The type of groupBy is not one of a parent')
    const member = members.get(name)!
    const ref = { source, field: member.field }
    if (member.kind === 'field') return makeFieldKeys(ref, given as Variables, scope)
    return makeKeys(followParent(scope, ref, member.object), given as Variables, scope)
  })
}

/**
 * Makes the grouping of `groupBy: { ... }`, with keys in order. (docs/reference/api/graphql.md#aggregates)
 * @throws ApiError
 */
export function makeGrouping({ type, ...groupBy }: Variables, scope: Scope): Grouping {
  const grouping = SUBTOTALS[(type ?? 'GROUP_BY') as keyof typeof SUBTOTALS]
  const keys = makeKeys(scope.root, groupBy, scope)
  checkSubtotals(grouping, keys.length)
  return { grouping, groupBy: keys }
}

/** The key that a field is grouped by: itself, else a part of it; the field itself if neither is a key. */
export function findKey(ref: FieldRef, groupBy: readonly Operand[]): Operand {
  const keys = groupBy.filter((key) => 'field' in key && key.source === ref.source && key.field === ref.field)
  return keys.find(({ kind }) => kind === 'field') ?? keys[0] ?? { kind: 'field', ...ref }
}
