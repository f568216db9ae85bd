import type { Expression } from '../parse/function-call.ts'
import type { Operand } from '../plan/plan.ts'
import type { Scope } from './scope.ts'

/** The clause that a condition is in, which decides what it may contain. */
export interface FilterLocation {
  readonly scope: Scope
  /** WHERE of the outer query, of a child query or of a semi-join; or HAVING. */
  readonly clause: 'where' | 'child' | 'semiJoin' | 'having'
  /** Not inside an OR or a NOT. */
  readonly topLevel: boolean
  /** Counts for the whole clause: semi-joins, and comparisons of labels with patterns. */
  readonly counts: { semiJoins: number; labelTests: number }
  /** In HAVING: rejects operands that are neither grouped nor aggregated. */
  readonly check?: (operand: Operand, expression: Expression) => void
}

const makeCounts = (): FilterLocation['counts'] => ({ semiJoins: 0, labelTests: 0 })

/** A WHERE clause of a query or of a child query. */
export function makeFilterLocation(scope: Scope, clause: 'where' | 'child'): FilterLocation {
  return { scope, clause, topLevel: true, counts: makeCounts() }
}
