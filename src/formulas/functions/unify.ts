import type { Expression } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import type { FormulaType } from '../language/formula-type.ts'

/** Nothing, as a value of a type, so that PostgreSQL knows it too. */
export function asType(expression: Expression, type: FormulaType): Expression {
  if (expression.type !== 'Null') return expression
  return { kind: 'literal', type, value: null, facts: {}, at: expression.at, depth: 1 }
}

/**
 * The expressions as values of one type.
 * @throws FormulaError when their types differ
 */
export function unify(expressions: readonly Expression[], label: string): Expression[] {
  const type = expressions.find((one) => one.type !== 'Null')?.type ?? 'Null'
  const other = expressions.find((one) => one.type !== type && one.type !== 'Null')
  if (other !== undefined) {
    throw new FormulaError(
      `Incorrect parameter type for ${label}. Expected ${type}, received ${other.type}`,
      other.at,
    )
  }
  return expressions.map((one) => asType(one, type))
}
