import { ApiError } from '../../base/api-error.ts'
import { makeDatePart } from '../../soql/analyze/analyze-operand.ts'
import { checkSubtotals } from '../../soql/analyze/grouping.ts'
import type { Scope } from '../../soql/analyze/scope.ts'
import type { DateFunction } from '../../soql/parse/function-names.ts'
import type { FieldRef, GroupsPlan, Operand, Source } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { followParent } from '../queries/follow-parent.ts'
import { aggregateMembersOf } from '../types/aggregate-members.ts'

/** What records are grouped by, and with which subtotals. */
export type Grouping = Pick<GroupsPlan, 'grouping' | 'groupBy'>

const SUBTOTALS = { GROUP_BY: 'plain', ROLLUP: 'rollup', CUBE: 'cube' } as const

/** A field as it is, a part of it, or both. */
function fieldKeys(ref: FieldRef, { group, function: part }: Variables, scope: Scope): Operand[] {
  const keys: Operand[] = group === true ? [{ kind: 'field', ...ref }] : []
  if (typeof part === 'string') keys.push(makeDatePart(ref, part as DateFunction, false, scope, 0))
  return keys
}

function keysOf(source: Source, groupBy: Variables, scope: Scope): Operand[] {
  const members = aggregateMembersOf(source.object, scope.statement.schema)
  return Object.entries(groupBy).flatMap(([name, given]): Operand[] => {
    if (given === null) return []
    if (name === 'type') throw new ApiError('MALFORMED_QUERY', 'The type of groupBy is not one of a parent')
    const member = members.get(name)!
    const ref = { source, field: member.field }
    if (member.kind === 'field') return fieldKeys(ref, given as Variables, scope)
    return keysOf(followParent(scope, ref, member.object), given as Variables, scope)
  })
}

/**
 * What `groupBy: { ... }` means; keys in the order in which they stand. (docs/reference/api/graphql.md#aggregates)
 * @throws ApiError
 */
export function groupingOf({ type, ...groupBy }: Variables, scope: Scope): Grouping {
  const grouping = SUBTOTALS[(type ?? 'GROUP_BY') as keyof typeof SUBTOTALS]
  const keys = keysOf(scope.root, groupBy, scope)
  checkSubtotals(grouping, keys.length)
  return { grouping, groupBy: keys }
}

/** What records are grouped by of a field: itself, else a part of it; nothing: the field, which then is no key. */
export function keyOf(ref: FieldRef, groupBy: readonly Operand[]): Operand {
  const keys = groupBy.filter((key) => 'field' in key && key.source === ref.source && key.field === ref.field)
  return keys.find(({ kind }) => kind === 'field') ?? keys[0] ?? { kind: 'field', ...ref }
}
