import type { Expression } from './parse/function-call.ts'
import type { LikePattern, Literal } from './parse/literal.ts'
import type { ComparisonOperator, Condition } from './parse/tree.ts'

/** A condition as the describe of a list view shows it. */
type DescribedCondition =
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

function formatLiteral(literal: Literal | LikePattern): string {
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

/** A function call shows its field arguments; other arguments are left out. */
function formatExpression(expression: Expression | { readonly kind: string }): string {
  if ('segments' in expression) return expression.segments.join('.')
  if (!('args' in expression)) return ''
  return `${expression.name}(${expression.args.map(formatExpression).filter(Boolean).join(', ')})`
}

/** Without a condition the result is an `and` without terms. */
export function describeCondition(condition: Condition | undefined): DescribedCondition {
  if (condition === undefined) return { conditions: [], conjunction: 'and' }
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { conditions: condition.terms.map(describeCondition), conjunction: condition.kind }
    case 'not':
      return { condition: describeCondition(condition.term) }
    case 'comparison':
      return describeTest(condition.left, OPERATORS[condition.operator], [condition.value])
    case 'memberComparison':
      return {
        field: [condition.path.segments.join('.'), ...condition.members].join('->'),
        operator: OPERATORS[condition.negated ? '!=' : '='],
        values: [formatLiteral(condition.value)],
      }
    case 'like':
      return describeTest(condition.left, 'like', [condition.value])
    case 'in':
      return describeTest(condition.left, condition.negated ? 'notIn' : 'in', condition.values)
    case 'includes':
      return describeTest(condition.left, condition.negated ? 'excludes' : 'includes', condition.values)
    case 'semiJoin':
      // The describe has no form for the inner query; the text of the query shows it.
      return describeTest(condition.left, condition.negated ? 'notIn' : 'in', [])
  }
}

const describeTest = (left: Expression, operator: string, values: readonly (Literal | LikePattern)[]) => ({
  field: formatExpression(left),
  operator,
  values: values.map(formatLiteral),
})
