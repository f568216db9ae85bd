import { maxBytes } from '../../schema/fields/max-bytes.ts'
import type { Operand } from '../plan/plan.ts'

/** Numbers, dates and the like. */
const SHORT_BYTES = 40

/** Returns the maximum size of a value in an answer, in bytes, without its name. */
export function maxOperandBytes(operand: Operand): number {
  if (operand.kind === 'field') return maxBytes(operand.field)
  return operand.kind === 'aggregate' && operand.of !== undefined ? maxBytes(operand.of.field) : SHORT_BYTES
}
