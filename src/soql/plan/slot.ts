import type { Sql } from '../../base/sql.ts'
import type { OperandFacts } from './operand.ts'
import type { PlanValue } from './plan.ts'

/** The place of a value in a plan that serves all queries which differ in such values only. */
export class Slot {
  /** Number of the literal, in the order of the text. */
  readonly index: number
  /** Facts of the operand with which the value is compared. */
  readonly facts: OperandFacts
  /** One of the values that it may have. */
  readonly example: PlanValue

  constructor(index: number, facts: OperandFacts, example: PlanValue) {
    this.index = index
    this.facts = facts
    this.example = example
  }
}

/** The slots of a plan that is being made. */
export class Slots {
  readonly #indexes: ReadonlyMap<number, number>
  readonly #made: (Slot | undefined)[]

  /** @param positions of the literals in the text that are to have slots */
  constructor(positions: readonly number[]) {
    this.#indexes = new Map(positions.map((at, index) => [at, index]))
    this.#made = positions.map(() => undefined)
  }

  /** The slot of the literal at a position; undefined if it is to have none. */
  make(at: number, facts: OperandFacts, example: PlanValue): Slot | undefined {
    const index = this.#indexes.get(at)
    if (index === undefined) return undefined
    const slot = new Slot(index, facts, example)
    this.#made[index] = slot
    return slot
  }

  /** All of them, in order; undefined if a literal got none. */
  list(): readonly Slot[] | undefined {
    const made = this.#made.filter((slot) => slot !== undefined)
    return made.length === this.#made.length ? made : undefined
  }
}

/** A statement with values in the places of its slots. */
export function fillSlots(statement: Sql, values: readonly PlanValue[]): Sql {
  return statement.with(
    statement.values.map((value) => (value instanceof Slot ? values[value.index]! : value)),
  )
}
