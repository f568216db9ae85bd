import { ApiError } from '../../base/api-error.ts'
import { sameOperand } from '../plan/operand.ts'
import type { GroupsPlan, Operand } from '../plan/plan.ts'

/*
 * What may stand beside what where records are summed up: for every syntax that makes plans. A text is how the operand
 * is called in messages. (docs/reference/api/queries.md#groups)
 */

const MAX_SUBTOTAL_FIELDS = 3
const malformed = (message: string) => new ApiError('MALFORMED_QUERY', message)

/** @throws ApiError when there would be too many subtotals */
export function checkSubtotals(grouping: GroupsPlan['grouping'], keys: number): void {
  if (grouping === 'plain' || keys <= MAX_SUBTOTAL_FIELDS) return
  throw malformed(`ROLLUP and CUBE take at most ${MAX_SUBTOTAL_FIELDS} fields`)
}

/** Whether groups have one value for an operand. */
function isGrouped(operand: Operand, groupBy: readonly Operand[]): boolean {
  if (operand.kind === 'aggregate') return true
  if (operand.kind === 'grouping') return groupBy.some((known) => sameOperand(known, operand.of))
  if (groupBy.some((known) => sameOperand(known, operand))) return true
  // A part of a date that is grouped itself. (docs/reference/api/queries.md#parts-of-dates)
  return (
    operand.kind === 'datePart' &&
    operand.field.type.literal === 'date' &&
    groupBy.some((known) => sameOperand(known, { ...operand, kind: 'field' }))
  )
}

/** @throws ApiError when an operand cannot be shown, or asked of, a group */
export function checkGrouped(operand: Operand, text: string, groupBy: readonly Operand[]): void {
  if (!isGrouped(operand, groupBy)) throw malformed(`Field must be grouped or aggregated: ${text}`)
  const { of } = operand.kind === 'aggregate' ? operand : {}
  if (of !== undefined && groupBy.some((known) => sameOperand(known, { kind: 'field', ...of }))) {
    throw malformed(`Grouped field should not be aggregated: ${of.field.name}`)
  }
}

/** @throws ApiError when groups cannot be sorted by an operand */
export function checkOrdered(operand: Operand, text: string, groupBy: readonly Operand[]): void {
  if (isGrouped(operand, groupBy)) return
  throw malformed(`Ordered field must be grouped or aggregated: ${text}`)
}

/** Where nothing is grouped by, one row sums up all records, and some clauses mean nothing. */
export const refuseUngrouped = (clause: 'LIMIT' | 'OFFSET' | 'ORDER BY') =>
  malformed(`Non-grouped query that uses overall aggregate functions cannot also use ${clause}`)
