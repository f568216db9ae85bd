import { OPERATION_COST } from '../language/budget.ts'
import type { EvaluationScope, Expression, Formula, Reference, Value } from '../language/expression.ts'
import { type FormulaOutput, MAX_RESULT_LENGTH } from '../language/formula-type.ts'
import { type Decimal, keepNumber, ZERO } from '../values/number.ts'
import { slice } from '../values/text.ts'

/** Characters of an id in formulas. */
const ID_LENGTH = 15

function readTarget({ target, full }: Reference, scope: EvaluationScope): Value {
  if (target.constant !== undefined) return target.constant
  if (target.formula !== undefined) {
    const inner = scope.enter(target)
    return inner === undefined ? null : run(target.formula.root, inner)
  }
  const value = scope.read(target, full)
  if (value === null) return null
  if (target.isPercent === true) return keepNumber((value as Decimal).times('0.01'))
  return target.facts.isId === true && !full ? (value as string).slice(0, ID_LENGTH) : value
}

function run(expression: Expression, scope: EvaluationScope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'reference': {
      const value = readTarget(expression, scope)
      if (value !== null) return value
      if (expression.type === 'Boolean') return false
      return expression.zero ? ZERO : null
    }
    case 'call':
      scope.budget.spend(OPERATION_COST)
      return expression.operation.evaluate(expression.args, (argument) => run(argument, scope), scope)
  }
}

/**
 * The value of a formula, as another formula sees it: neither rounded nor cut.
 * @throws EvaluationError
 */
const evaluateFormula = ({ root }: Formula, scope: EvaluationScope): Value => run(root, scope)

/**
 * The value of a formula as it is given out.
 * @throws EvaluationError
 */
export function evaluateOutput(formula: Formula, output: FormulaOutput, scope: EvaluationScope): Value {
  const value = evaluateFormula(formula, scope)
  if (formula.result === 'Boolean') return value === true
  if (value === null) return null
  if (formula.result === 'Number') {
    const number = output.isPercent === true ? (value as Decimal).times(100) : (value as Decimal)
    return output.scale === undefined ? number : keepNumber(number.toDecimalPlaces(output.scale))
  }
  return formula.result === 'Text' ? slice(value as string, 0, MAX_RESULT_LENGTH) : value
}
