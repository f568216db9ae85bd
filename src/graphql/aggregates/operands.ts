import { isSameOperand } from '../../soql/plan/operand.ts'
import type { Operand } from '../../soql/plan/plan.ts'

/** The select list of groups under construction, without duplicates. */
export class Operands {
  readonly #operands: Operand[] = []

  get operands(): readonly Operand[] {
    return this.#operands
  }

  /** The index of an operand, which is added on first use. */
  getIndex(operand: Operand): number {
    const known = this.#operands.findIndex((one) => isSameOperand(one, operand))
    return known < 0 ? this.#operands.push(operand) - 1 : known
  }
}
