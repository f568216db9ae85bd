import type { Context } from '../../context.ts'
import type { Formula } from '../../formulas/language/expression.ts'
import type { EvaluationError } from '../../formulas/language/formula-error.ts'
import { listLeaves } from './formula-leaves.ts'

/**
 * True if the caller may read everything that a formula reads: fields of the record that is written, and of the user. Which other records
 * are visible is not looked up for a message.
 */
export const mayQuote = ({ visible }: Pick<Context, 'visible'>, formula: Formula): boolean =>
  formula.targets.every(({ column }) => column === undefined) &&
  listLeaves([formula]).every(
    ({ root, steps, target: { object, field } }) =>
      (root === 'record' || root === '$User') &&
      steps.length === 0 &&
      visible.object(object.name)?.field(field.name) !== undefined,
  )

/** Why a formula has no value, in words that quote only what the caller may read. */
export const explainEvaluation = (
  ctx: Pick<Context, 'visible'>,
  formula: Formula,
  error: EvaluationError,
): string => (mayQuote(ctx, formula) ? error.message : error.withoutValues)
