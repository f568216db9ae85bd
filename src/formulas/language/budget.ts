import { EvaluationError } from './formula-error.ts'

/*
 * Limits on the cost of formulas, counted while they run: in nanoseconds that each step takes about, so that the same formula
 * has the same outcome on every machine.
 */

/** An operation without what its texts cost. */
export const OPERATION_COST = 300

/** The evaluation would cost more than is left: nothing else is evaluated for the record. */
export class BudgetExceeded extends EvaluationError {}

/** Budget for the cost of formulas. Spending also reduces the wider budget around it. */
export class Budget {
  #left: number
  readonly #around: Budget | undefined
  readonly #reason: string

  private constructor(most: number, reason: string, around?: Budget) {
    this.#left = most
    this.#reason = reason
    this.#around = around
  }

  /** For all lists of records that a call writes. A list is evaluated again where some of its records were refused. */
  static ofCall(): Budget {
    return new Budget(
      9_000_000_000,
      'it would take too long for all records of this call: write fewer in one call',
    )
  }

  /** For records that are written together. */
  static ofList(call?: Budget): Budget {
    return new Budget(
      3_000_000_000,
      'it would take too long for all of these records: write fewer at once',
      call,
    )
  }

  /** For the formulas of one record: they are evaluated without a pause. */
  static ofRecord(list = Budget.ofList()): Budget {
    return new Budget(
      100_000_000,
      'it would take too long: the texts or regular expressions of the record are too long',
      list,
    )
  }

  /**
   * To be called before the work is done.
   * @throws BudgetExceeded
   */
  spend(cost: number): void {
    this.#left -= cost
    if (this.#left < 0) throw new BudgetExceeded(this.#reason)
    this.#around?.spend(cost)
  }
}
