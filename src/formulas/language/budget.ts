import { EvaluationError } from './formula-error.ts'

/*
 * Limits on the cost of formulas, counted while they run: in nanoseconds that each step takes about, so that the same formula
 * has the same outcome on every machine.
 */

/** For the formulas of one record: they are evaluated without a pause. */
const MAX_FOR_RECORD = 100_000_000

/** For all records that are written together. */
const MAX_FOR_LIST = 3_000_000_000

/** An operation without what its texts cost. */
export const OPERATION_COST = 300

/** The evaluation would cost more than is left: nothing else is evaluated for the record. */
export class BudgetExceeded extends EvaluationError {}

/** The rest of the budget of records that are written together. */
export class ListBudget {
  left = MAX_FOR_LIST
}

/** The budget of the formulas of one record. */
export class EvaluationBudget {
  readonly #list: ListBudget
  #left = MAX_FOR_RECORD

  constructor(list = new ListBudget()) {
    this.#list = list
  }

  /**
   * To be called before the work is done.
   * @throws EvaluationError
   */
  spend(cost: number): void {
    this.#left -= cost
    this.#list.left -= cost
    if (this.#left < 0) {
      throw new BudgetExceeded(
        'it would take too long: the texts or regular expressions of the record are too long',
      )
    }
    if (this.#list.left < 0) {
      throw new BudgetExceeded('it would take too long for all of these records: write fewer at once')
    }
  }
}
