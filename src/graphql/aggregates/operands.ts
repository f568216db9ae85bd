import { isSameOperand, maxOperandBytes } from '../../soql/plan/operand.ts'
import type { Operand } from '../../soql/plan/plan.ts'

/** The select list of groups under construction, without duplicates. */
export class Operands {
  readonly #operands: Operand[] = []
  readonly #weights: number[] = []
  #bytes = 0

  get operands(): readonly Operand[] {
    return this.#operands
  }

  /** Maximum size of a row in an answer, in bytes, and how many times each operand stands there. */
  get width(): { readonly bytes: number; readonly weights: readonly number[] } {
    return { bytes: this.#bytes, weights: this.#weights }
  }

  /** The index of an operand, which is added on first use. */
  getIndex(operand: Operand): number {
    const known = this.#operands.findIndex((one) => isSameOperand(one, operand))
    this.#bytes += maxOperandBytes(operand)
    if (known >= 0) {
      this.#weights[known]!++
      return known
    }
    this.#weights.push(1)
    return this.#operands.push(operand) - 1
  }
}
