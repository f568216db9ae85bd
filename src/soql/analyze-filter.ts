import { ApiError } from '../base/api-error.ts'
import type { OperatorGroup } from '../schema/fields/field-type.ts'
import { analyzeOperand } from './analyze-operand.ts'
import { analyzeSemiJoin } from './analyze-semi-join.ts'
import { analyzeValue } from './analyze-value.ts'
import type { FilterPlace } from './filter-place.ts'
import type { Expression, FieldCall } from './function-call.ts'
import type { LikePattern, Literal } from './literal.ts'
import { factsOf } from './operand.ts'
import type { Filter, Operand, PlanValue } from './plan.ts'
import { refusal } from './refusal.ts'
import type { Comparison, Condition, In, Includes, Like } from './tree.ts'

/** The left side, if its type has such operators. (contract/soql 5.1) */
function operandOf(left: Expression, group: OperatorGroup, at: number, place: FilterPlace): Operand {
  const { scope, clause, check } = place
  const operand = analyzeOperand(left, scope)
  if (clause !== 'having' && (operand.kind === 'aggregate' || operand.kind === 'grouping')) {
    throw new ApiError('MALFORMED_QUERY', 'Aggregate functions are not allowed in WHERE: use HAVING')
  }
  check?.(operand, left)
  const facts = factsOf(operand)
  if (facts.operators.length === 0) {
    throw refusal(
      'INVALID_FIELD',
      scope.text,
      left.at,
      `field '${facts.name}' can not be filtered in a query call`,
    )
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

/** A boolean is never null: null means false. (contract/soql 5.3) */
function nullFilter(operand: Operand): Filter {
  return factsOf(operand).literal === 'boolean'
    ? { kind: 'compare', operand, operator: '=', value: false }
    : { kind: 'isNull', operand }
}

const NEVER: Filter = { kind: 'or', terms: [] }
const not = (term: Filter): Filter => ({ kind: 'not', term })

/** `operand = literal`, for any literal that fits. */
function equals(operand: Operand, literal: Literal, text: string): Filter {
  const facts = factsOf(operand)
  if (literal.kind === 'dateLiteral' && facts.namedDates) {
    return { kind: 'days', operand, operator: '=', literal: { name: literal.name, n: literal.n } as never }
  }
  const value = analyzeValue(facts, literal, text)
  return value === null ? nullFilter(operand) : { kind: 'compare', operand, operator: '=', value }
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
  if (operator === '=') return equals(operand, literal, text)
  if (operator === '!=') return not(equals(operand, literal, text))
  if (literal.kind === 'dateLiteral' && factsOf(operand).namedDates) {
    return { kind: 'days', operand, operator, literal: { name: literal.name, n: literal.n } as never }
  }
  const value = analyzeValue(factsOf(operand), literal, text)
  return value === null ? NEVER : { kind: 'compare', operand, operator, value }
}

function analyzeLike({ left, value: literal, at }: Like, place: FilterPlace): Filter {
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, [literal], 'LIKE', place)
  }
  const operand = operandOf(left, 'like', at, place)
  const pattern = analyzeValue(factsOf(operand), literal, place.scope.text)
  return pattern === null ? nullFilter(operand) : { kind: 'like', operand, pattern: String(pattern) }
}

function analyzeIn({ left, negated, values: literals, at }: In, place: FilterPlace): Filter {
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, literals, negated ? '!=' : '=', place)
  }
  const operand = operandOf(left, 'equality', at, place)
  const terms = literals.map((literal) => {
    refuseNamedDate(operand, literal)
    return equals(operand, literal, place.scope.text)
  })
  // Values travel together; nulls and named dates are conditions of their own.
  const values: PlanValue[] = []
  const others: Filter[] = []
  for (const term of terms) {
    if (term.kind === 'compare' && factsOf(operand).literal !== 'boolean') values.push(term.value)
    else others.push(term)
  }
  if (values.length > 0) others.unshift({ kind: 'in', operand, values })
  const among: Filter = others.length === 1 ? others[0]! : { kind: 'or', terms: others }
  return negated ? not(among) : among
}

/** `toLabel(Status) = 'Neu'`: the values whose label it is. (contract/soql 3.7) */
function analyzeLabel(
  call: FieldCall,
  literals: readonly (Literal | LikePattern)[],
  operator: string,
  place: FilterPlace,
): Filter {
  const { scope } = place
  const ref = scope.resolve(call.args[0])
  const operand: Operand = { kind: 'field', ...ref }
  if (operator !== '=' && operator !== '!=' && operator !== 'LIKE') {
    throw refusal('INVALID_QUERY_FILTER_OPERATOR', scope.text, call.at, 'invalid operator on toLabel')
  }
  const facts = factsOf(operand)
  const matches = literals.map((literal) => {
    const value = analyzeValue(facts, literal, scope.text)
    return value === null ? undefined : matcher(String(value), operator === 'LIKE')
  })
  const labelled = ref.field.picklist.filter((entry) => matches.some((match) => match?.(entry.label)))
  const terms: Filter[] = []
  if (labelled.length > 0) terms.push({ kind: 'in', operand, values: labelled.map((entry) => entry.value) })
  if (matches.includes(undefined)) terms.push(nullFilter(operand))
  const among: Filter = { kind: 'or', terms }
  return operator === '!=' ? not(among) : among
}

/** Compares a label as the database compares texts: without case, `%` and `_` in a pattern. */
function matcher(text: string, pattern: boolean): (label: string) => boolean {
  const literally = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const source = pattern
    ? text.replaceAll(/\\(.)|(%)|(_)|([^\\%_]+)/gs, (_, taken, any, one, plain) =>
        any ? '.*' : one ? '.' : literally(taken ?? plain),
      )
    : literally(text)
  const expression = new RegExp(`^${source}$`, 'isu')
  return (label) => expression.test(label)
}

function analyzeIncludes({ left, negated, values: literals, at }: Includes, place: FilterPlace): Filter {
  const operand = operandOf(left, 'includes', at, place)
  const facts = factsOf(operand)
  const sets: string[][] = []
  const terms: Filter[] = []
  for (const literal of literals) {
    const value = analyzeValue(facts, literal, place.scope.text)
    if (value === null) terms.push(nullFilter(operand))
    else
      sets.push(
        String(value)
          .split(';')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      )
  }
  if (sets.length > 0) terms.unshift({ kind: 'includes', operand, sets })
  const among: Filter = terms.length === 1 ? terms[0]! : { kind: 'or', terms }
  return negated ? not(among) : among
}

/** What a condition means. (contract/soql 5) */
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
