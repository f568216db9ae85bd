import type { Filter, Operand, PlanBase, PlanValue } from './plan.ts'
import { Slot } from './slot.ts'

/**
 * The values to which a filter limits an operand, with `=` or `IN` and not inside OR or NOT; undefined where it limits it in no
 * such way.
 */
export function findNamed(
  filter: Filter | undefined,
  isWanted: (operand: Operand) => boolean,
): readonly PlanValue[] | undefined {
  switch (filter?.kind) {
    case 'and':
      for (const term of filter.terms) {
        const named = findNamed(term, isWanted)
        if (named !== undefined) return named
      }
      return undefined
    case 'compare':
      // The statement is made for known rows.
      if (filter.value instanceof Slot) return undefined
      return filter.operator === '=' && isWanted(filter.operand) ? [filter.value] : undefined
    case 'in':
      return isWanted(filter.operand) ? filter.values : undefined
    default:
      return undefined
  }
}

/** A field of the queried object. */
export const isRootField =
  ({ sources: [root] }: Pick<PlanBase, 'sources'>, name: string) =>
  (operand: Operand): boolean =>
    operand.kind === 'field' && operand.source === root && operand.field.name === name
