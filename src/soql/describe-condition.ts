import type { Expression } from './parse/function-call.ts'
import type { LikePattern, Literal } from './parse/literal.ts'
import type { ComparisonOperator, Condition } from './parse/tree.ts'

/** A condition as the describe of a list view shows it. */
export type DescribedCondition =
  | { readonly conditions: readonly DescribedCondition[]; readonly conjunction: 'and' | 'or' }
  | { readonly condition: DescribedCondition }
  | { readonly field: string; readonly operator: string; readonly values: readonly string[] }

const OPERATORS: Readonly<Record<ComparisonOperator, string>> = {
  '=': 'equals',
  '!=': 'notEquals',
  '<': 'lessThan',
  '<=': 'lessThanOrEqualTo',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqualTo',
}

function textOf(literal: Literal | LikePattern): string {
  switch (literal.kind) {
    case 'null':
      return 'null'
    case 'number':
      return literal.text
    case 'currency':
      return `${literal.iso}${literal.text}`
    case 'dateLiteral':
      return literal.n === undefined ? literal.name : `${literal.name}:${literal.n}`
    default:
      return String(literal.value)
  }
}

/** A call is shown by the fields that it is about; what else it is given is left out. */
function fieldOf(expression: Expression | { readonly kind: string }): string {
  if ('segments' in expression) return expression.segments.join('.')
  if (!('args' in expression)) return ''
  return `${expression.name}(${expression.args.map(fieldOf).filter(Boolean).join(', ')})`
}

/** No condition is one without terms. */
export function describeCondition(condition: Condition | undefined): DescribedCondition {
  if (condition === undefined) return { conditions: [], conjunction: 'and' }
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { conditions: condition.terms.map(describeCondition), conjunction: condition.kind }
    case 'not':
      return { condition: describeCondition(condition.term) }
    case 'comparison':
      return one(condition.left, OPERATORS[condition.operator], [condition.value])
    case 'like':
      return one(condition.left, 'like', [condition.value])
    case 'in':
      return one(condition.left, condition.negated ? 'notIn' : 'in', condition.values)
    case 'includes':
      return one(condition.left, condition.negated ? 'excludes' : 'includes', condition.values)
    case 'semiJoin':
      // What is asked for in there stands in the query.
      return one(condition.left, condition.negated ? 'notIn' : 'in', [])
  }
}

const one = (left: Expression, operator: string, values: readonly (Literal | LikePattern)[]) => ({
  field: fieldOf(left),
  operator,
  values: values.map(textOf),
})
