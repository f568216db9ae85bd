import type { ChildQuery, Condition, Query } from '../parse/tree.ts'

const MAX = 200

/** How many ids a condition allows at the most; undefined: any number. */
function idsAllowed(condition: Condition): number | undefined {
  if (condition.kind === 'or') {
    const counts = condition.terms.map(idsAllowed)
    return counts.includes(undefined) ? undefined : counts.reduce((sum, count) => sum! + count!, 0)
  }
  if (condition.kind === 'and') return condition.terms.map(idsAllowed).find((count) => count !== undefined)
  if (condition.kind !== 'comparison' && condition.kind !== 'in') return undefined
  const isId = condition.left.kind === 'path' && condition.left.segments.at(-1)!.toLowerCase() === 'id'
  if (!isId || (condition.left.kind === 'path' && condition.left.segments.length > 1)) return undefined
  if (condition.kind === 'in') return condition.negated ? undefined : condition.values.length
  return condition.operator === '=' ? 1 : undefined
}

/** Whether a query asks for few enough records for FIELDS(ALL): by LIMIT or by ids. (docs/reference/api/queries.md#fields-function) */
export function fieldsBounded({ limit, where }: Query | ChildQuery): boolean {
  if (limit !== undefined && limit.value <= MAX) return true
  return where !== undefined && (idsAllowed(where) ?? Number.POSITIVE_INFINITY) <= MAX
}
