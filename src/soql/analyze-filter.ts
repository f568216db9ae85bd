import type { OperatorGroup } from '../schema/fields/field-type.ts'
import { analyzeValue } from './analyze-value.ts'
import type { Expression } from './function-call.ts'
import type { FieldRef, Filter, PlanValue } from './plan.ts'
import { refusal } from './refusal.ts'
import type { Scope } from './scope.ts'
import type { Comparison, Condition, In, Like } from './tree.ts'

/** The field on the left, if its type has such operators. (contract/soql 5.1) */
function operandOf(left: Expression, group: OperatorGroup, at: number, scope: Scope): FieldRef {
  if (left.kind !== 'path')
    throw refusal('MALFORMED_QUERY', scope.text, left.at, 'Functions are not supported yet')
  const operand = scope.resolve(left)
  const { type, name } = operand.field
  if (type.operators.length === 0) {
    throw refusal('INVALID_FIELD', scope.text, left.at, `field '${name}' can not be filtered in a query call`)
  }
  if (!type.operators.includes(group)) {
    const kind = type.literal === 'id' ? 'id' : type.describedAs
    throw refusal(
      'INVALID_QUERY_FILTER_OPERATOR',
      scope.text,
      at,
      `invalid operator on ${kind} field`,
    )
  }
  return operand
}

/** A boolean is never null: null means false. (contract/soql 5.3) */
function nullFilter(operand: FieldRef): Filter {
  return operand.field.type.literal === 'boolean'
    ? { kind: 'compare', operand, operator: '=', value: false }
    : { kind: 'isNull', operand }
}

const NEVER: Filter = { kind: 'or', terms: [] }

function analyzeComparison({ left, operator, value: literal, at }: Comparison, scope: Scope): Filter {
  const equality = operator === '=' || operator === '!='
  const operand = operandOf(left, equality ? 'equality' : 'order', at, scope)
  const value = analyzeValue(operand.field, literal, scope.text)
  if (operator === '!=') {
    const equal: Filter =
      value === null ? nullFilter(operand) : { kind: 'compare', operand, operator: '=', value }
    return { kind: 'not', term: equal }
  }
  if (value === null) return equality ? nullFilter(operand) : NEVER
  return { kind: 'compare', operand, operator, value }
}

function analyzeLike({ left, value: literal, at }: Like, scope: Scope): Filter {
  const operand = operandOf(left, 'like', at, scope)
  const pattern = analyzeValue(operand.field, literal, scope.text)
  return pattern === null ? nullFilter(operand) : { kind: 'like', operand, pattern: String(pattern) }
}

function analyzeIn({ left, negated, values: literals, at }: In, scope: Scope): Filter {
  const operand = operandOf(left, 'equality', at, scope)
  const all = literals.map((literal) => analyzeValue(operand.field, literal, scope.text))
  const values = all.filter((value): value is PlanValue => value !== null)
  const terms: Filter[] = []
  if (values.length > 0) terms.push({ kind: 'in', operand, values })
  if (values.length < all.length) terms.push(nullFilter(operand))
  const among: Filter = terms.length === 1 ? terms[0]! : { kind: 'or', terms }
  return negated ? { kind: 'not', term: among } : among
}

/** What a WHERE clause means. (contract/soql 5) */
export function analyzeFilter(condition: Condition, scope: Scope): Filter {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, terms: condition.terms.map((term) => analyzeFilter(term, scope)) }
    case 'not':
      return { kind: 'not', term: analyzeFilter(condition.term, scope) }
    case 'comparison':
      return analyzeComparison(condition, scope)
    case 'like':
      return analyzeLike(condition, scope)
    case 'in':
      return analyzeIn(condition, scope)
    case 'includes':
    case 'semiJoin':
      throw refusal(
        'MALFORMED_QUERY',
        scope.text,
        condition.at,
        'This kind of condition is not supported yet',
      )
  }
}
