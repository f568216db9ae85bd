import { malformedQuery } from '../parse/query-error.ts'
import { isSameOperand } from '../plan/operand.ts'
import type { GroupsPlan, Operand } from '../plan/plan.ts'

/*
 * Rules of aggregate queries, for SOQL and GraphQL. `text` is the operand as error messages show it. (docs/reference/api/queries.md#groups)
 */

const MAX_SUBTOTAL_FIELDS = 3
/** @throws ApiError if ROLLUP or CUBE has too many fields */
export function checkSubtotals(grouping: GroupsPlan['grouping'], keys: number): void {
  if (grouping === 'plain' || keys <= MAX_SUBTOTAL_FIELDS) return
  throw malformedQuery(`ROLLUP and CUBE take at most ${MAX_SUBTOTAL_FIELDS} fields`)
}

/** True if an operand has one value per group. */
function isGrouped(operand: Operand, groupBy: readonly Operand[]): boolean {
  if (operand.kind === 'aggregate') return true
  if (operand.kind === 'grouping') return groupBy.some((known) => isSameOperand(known, operand.of))
  if (groupBy.some((known) => isSameOperand(known, operand))) return true
  // A date function of a field that is itself grouped. (docs/reference/api/queries.md#parts-of-dates)
  return (
    operand.kind === 'datePart' &&
    operand.field.type.literal === 'date' &&
    groupBy.some((known) => isSameOperand(known, { ...operand, kind: 'field' }))
  )
}

/** @throws ApiError if an operand cannot be selected or filtered per group */
export function checkGrouped(operand: Operand, text: string, groupBy: readonly Operand[]): void {
  if (!isGrouped(operand, groupBy)) throw malformedQuery(`Field must be grouped or aggregated: ${text}`)
  const { of } = operand.kind === 'aggregate' ? operand : {}
  if (of !== undefined && groupBy.some((known) => isSameOperand(known, { kind: 'field', ...of }))) {
    throw malformedQuery(`Grouped field should not be aggregated: ${of.field.name}`)
  }
}

/** @throws ApiError if groups cannot be sorted by an operand */
export function checkOrdered(operand: Operand, text: string, groupBy: readonly Operand[]): void {
  if (isGrouped(operand, groupBy)) return
  throw malformedQuery(`Ordered field must be grouped or aggregated: ${text}`)
}

/** Without GROUP BY the result is one row, and these clauses are rejected. */
export const ungroupedError = (clause: 'LIMIT' | 'OFFSET' | 'ORDER BY') =>
  malformedQuery(`Non-grouped query that uses overall aggregate functions cannot also use ${clause}`)
