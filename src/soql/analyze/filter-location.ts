import type { Expression } from '../parse/function-call.ts'
import type { Operand } from '../plan/plan.ts'
import type { Scope } from './scope.ts'

/** Where a condition stands, and so what may stand in it. */
export interface FilterLocation {
  readonly scope: Scope
  /** Of which query: the outer one, a child's, the inner one of a semi-join; or HAVING. */
  readonly clause: 'where' | 'child' | 'semiJoin' | 'having'
  /** Not inside an OR or a NOT. */
  readonly topLevel: boolean
  /** Of the whole clause: its semi-joins, and the labels that its patterns are compared with. */
  readonly counts: { semiJoins: number; labelTests: number }
  /** In HAVING: refuses what is neither grouped nor summed up. */
  readonly check?: (operand: Operand, expression: Expression) => void
}

const startCounts = (): FilterLocation['counts'] => ({ semiJoins: 0, labelTests: 0 })

/** A WHERE clause of a query or of a child query. */
export function whereOf(scope: Scope, clause: 'where' | 'child'): FilterLocation {
  return { scope, clause, topLevel: true, counts: startCounts() }
}
