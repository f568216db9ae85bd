import { isSameOperand } from '../../soql/plan/operand.ts'
import type { Operand } from '../../soql/plan/plan.ts'

/** What is shown of groups while it grows: what is asked for twice stands in it once. */
export class Operands {
  readonly #operands: Operand[] = []

  get operands(): readonly Operand[] {
    return this.#operands
  }

  /** The place of an operand. */
  location(operand: Operand): number {
    const known = this.#operands.findIndex((one) => isSameOperand(one, operand))
    return known < 0 ? this.#operands.push(operand) - 1 : known
  }
}
