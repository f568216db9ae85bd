import type { ChildQuery, Condition, Query } from '../parse/tree.ts'

const MAX_RECORDS = 200

/** Maximum number of ids that a condition can match; undefined if unbounded. */
function countIds(condition: Condition): number | undefined {
  if (condition.kind === 'or') {
    const counts = condition.terms.map(countIds)
    return counts.includes(undefined) ? undefined : counts.reduce((sum, count) => sum! + count!, 0)
  }
  if (condition.kind === 'and') return condition.terms.map(countIds).find((count) => count !== undefined)
  if (condition.kind !== 'comparison' && condition.kind !== 'in') return undefined
  const isId = condition.left.kind === 'path' && condition.left.segments.at(-1)!.toLowerCase() === 'id'
  if (!isId || (condition.left.kind === 'path' && condition.left.segments.length > 1)) return undefined
  if (condition.kind === 'in') return condition.negated ? undefined : condition.values.length
  return condition.operator === '=' ? 1 : undefined
}

/** True if LIMIT or ids bound a query enough for FIELDS(ALL). (docs/reference/api/queries.md#fields-function) */
export function isBounded({ limit, where }: Query | ChildQuery): boolean {
  if (limit !== undefined && limit.value <= MAX_RECORDS) return true
  return where !== undefined && (countIds(where) ?? Number.POSITIVE_INFINITY) <= MAX_RECORDS
}
