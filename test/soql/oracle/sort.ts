import type { Ordering } from '../../../src/soql/plan/plan.ts'
import { compareValues } from './compare-values.ts'
import { sortKey, type Worth } from './evaluate-operand.ts'

/** How two things are sorted; 0 where the order asked for does not tell. Nulls have their place in either direction. */
export function compareBy(orderings: readonly Ordering[], a: Worth, b: Worth): number {
  for (const { operand, descending, nullsFirst } of orderings) {
    const [left, right] = [sortKey(operand, a(operand)), sortKey(operand, b(operand))]
    if (left === null && right === null) continue
    if (left === null || right === null) return (left === null) === nullsFirst ? -1 : 1
    const order = compareValues(left, right)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}
