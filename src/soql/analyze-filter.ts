import { ApiError } from '../base/api-error.ts'
import type { OperatorGroup } from '../schema/fields/field-type.ts'
import { analyzeLabel } from './analyze-label.ts'
import { analyzeOperand } from './analyze-operand.ts'
import { analyzeSemiJoin } from './analyze-semi-join.ts'
import { analyzeValue } from './analyze-value.ts'
import type { FilterPlace } from './filter-place.ts'
import type { Expression, FieldCall } from './function-call.ts'
import type { LikePattern, Literal } from './literal.ts'
import { among, type Compared, compare, includes, like, type NamedDays, not } from './make-filter.ts'
import { factsOf } from './operand.ts'
import type { Filter, Operand } from './plan.ts'
import { notFilterable, refusal } from './refusal.ts'
import type { Comparison, Condition, In, Includes, Like } from './tree.ts'

/** The left side, if its type has such operators. (docs/reference/api/queries.md#operators) */
function operandOf(left: Expression, group: OperatorGroup, at: number, place: FilterPlace): Operand {
  const { scope, clause, check } = place
  const operand = analyzeOperand(left, scope)
  if (clause !== 'having' && (operand.kind === 'aggregate' || operand.kind === 'grouping')) {
    throw new ApiError('MALFORMED_QUERY', 'Aggregate functions are not allowed in WHERE: use HAVING')
  }
  check?.(operand, left)
  const facts = factsOf(operand)
  if (facts.operators.length === 0) {
    throw notFilterable(scope.text, left.at, facts.name)
  }
  if (!facts.operators.includes(group)) {
    throw refusal(
      'INVALID_QUERY_FILTER_OPERATOR',
      scope.text,
      at,
      `invalid operator on ${facts.typeName} field`,
    )
  }
  return operand
}

/** What a literal means for an operand, if it fits. */
function analyzeCompared(operand: Operand, literal: Literal, text: string): Compared {
  const facts = factsOf(operand)
  if (literal.kind === 'dateLiteral' && facts.namedDates) {
    return { days: { name: literal.name, n: literal.n } as NamedDays['days'] }
  }
  return analyzeValue(facts, literal, text)
}

function refuseNamedDate(operand: Operand, literal: Literal | LikePattern): void {
  if (operand.kind === 'datePart' && literal.kind === 'dateLiteral') {
    throw new ApiError('MALFORMED_QUERY', 'A date function is not compared with a named date')
  }
}

function analyzeComparison({ left, operator, value: literal, at }: Comparison, place: FilterPlace): Filter {
  const { text } = place.scope
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, [literal], operator, place)
  }
  if (left.kind === 'call' && left.function === 'DISTANCE' && operator !== '<' && operator !== '>') {
    throw refusal('INVALID_QUERY_FILTER_OPERATOR', text, at, 'DISTANCE takes only < and >')
  }
  if (place.clause === 'having' && literal.kind === 'currency') {
    throw new ApiError('MALFORMED_QUERY', 'An amount with a currency is not allowed in HAVING')
  }
  const equality = operator === '=' || operator === '!='
  const operand = operandOf(left, equality ? 'equality' : 'order', at, place)
  refuseNamedDate(operand, literal)
  return compare(operand, operator, analyzeCompared(operand, literal, text))
}

function analyzeLike({ left, value: literal, at }: Like, place: FilterPlace): Filter {
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, [literal], 'LIKE', place)
  }
  const operand = operandOf(left, 'like', at, place)
  const pattern = analyzeValue(factsOf(operand), literal, place.scope.text)
  return like(operand, pattern === null ? null : String(pattern))
}

function analyzeIn({ left, negated, values: literals, at }: In, place: FilterPlace): Filter {
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, literals, negated ? '!=' : '=', place)
  }
  const operand = operandOf(left, 'equality', at, place)
  const compared = literals.map((literal) => {
    refuseNamedDate(operand, literal)
    return analyzeCompared(operand, literal, place.scope.text)
  })
  const filter = among(operand, compared)
  return negated ? not(filter) : filter
}

function analyzeIncludes({ left, negated, values: literals, at }: Includes, place: FilterPlace): Filter {
  const operand = operandOf(left, 'includes', at, place)
  const facts = factsOf(operand)
  const chosen = literals.map((literal) => {
    const value = analyzeValue(facts, literal, place.scope.text)
    return value === null ? null : String(value)
  })
  const filter = includes(operand, chosen)
  return negated ? not(filter) : filter
}

/** What a condition means. (docs/reference/api/queries.md#conditions) */
export function analyzeFilter(condition: Condition, place: FilterPlace): Filter {
  const inside = place.topLevel ? { ...place, topLevel: false } : place
  switch (condition.kind) {
    case 'and':
      return { kind: 'and', terms: condition.terms.map((term) => analyzeFilter(term, place)) }
    case 'or':
      return { kind: 'or', terms: condition.terms.map((term) => analyzeFilter(term, inside)) }
    case 'not':
      return not(analyzeFilter(condition.term, inside))
    case 'comparison':
      return analyzeComparison(condition, place)
    case 'like':
      return analyzeLike(condition, place)
    case 'in':
      return analyzeIn(condition, place)
    case 'includes':
      return analyzeIncludes(condition, place)
    case 'semiJoin':
      return analyzeSemiJoin(condition, place, analyzeFilter)
  }
}
