import type { OperatorGroup } from '../../schema/fields/field-type.ts'
import type { Expression, FieldCall } from '../parse/function-call.ts'
import type { LikePattern, Literal } from '../parse/literal.ts'
import { malformedQuery, notFilterableError, queryError } from '../parse/query-error.ts'
import type { Comparison, Condition, In, Includes, Like, MemberComparison } from '../parse/tree.ts'
import { getOperandFacts } from '../plan/operand.ts'
import type { Filter, Operand } from '../plan/plan.ts'
import type { Slot } from '../plan/slot.ts'
import { analyzeLabel } from './analyze-label.ts'
import { analyzeOperand } from './analyze-operand.ts'
import { analyzeSemiJoin } from './analyze-semi-join.ts'
import { analyzeValue } from './analyze-value.ts'
import type { FilterLocation } from './filter-location.ts'
import { among, type Compared, compare, includes, like, type NamedDays, not } from './make-filter.ts'

/** The left side of a condition. Rejects one whose type lacks the operator. (docs/reference/api/queries.md#operators) */
function analyzeLeftSide(
  left: Expression,
  group: OperatorGroup,
  at: number,
  location: FilterLocation,
): Operand {
  const { scope, clause, check } = location
  const operand = analyzeOperand(left, scope)
  if (clause !== 'having' && (operand.kind === 'aggregate' || operand.kind === 'grouping')) {
    throw malformedQuery('Aggregate functions are not allowed in WHERE: use HAVING')
  }
  check?.(operand, left)
  const facts = getOperandFacts(operand)
  if (facts.operators.length === 0) {
    throw notFilterableError(scope.text, left.at, facts.name)
  }
  if (!facts.operators.includes(group)) {
    throw queryError(
      'INVALID_QUERY_FILTER_OPERATOR',
      scope.text,
      at,
      `invalid operator on ${facts.typeName} field`,
    )
  }
  return operand
}

/** The value that a literal means for an operand. Rejects literals of the wrong type. */
function analyzeCompared(operand: Operand, literal: Literal, text: string): Compared {
  const facts = getOperandFacts(operand)
  if (literal.kind === 'dateLiteral' && facts.namedDates) {
    return { days: { name: literal.name, n: literal.n } as NamedDays['days'] }
  }
  return analyzeValue(facts, literal, text)
}

/** Of the date functions only DAY_ONLY gives days, which a named date is a range of. */
function refuseNamedDate(operand: Operand, literal: Literal | LikePattern): void {
  if (operand.kind !== 'datePart' || operand.function === 'DAY_ONLY' || literal.kind !== 'dateLiteral') return
  throw malformedQuery(`${operand.function} is not compared with a named date`)
}

function analyzeComparison(
  { left, operator, value: literal, at }: Comparison,
  location: FilterLocation,
): Filter {
  const { text } = location.scope
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, [literal], operator, location)
  }
  if (left.kind === 'call' && left.function === 'DISTANCE' && operator !== '<' && operator !== '>') {
    throw queryError('INVALID_QUERY_FILTER_OPERATOR', text, at, 'DISTANCE takes only < and >')
  }
  if (location.clause === 'having' && literal.kind === 'currency') {
    throw malformedQuery('An amount with a currency is not allowed in HAVING')
  }
  const equality = operator === '=' || operator === '!='
  const operand = analyzeLeftSide(left, equality ? 'equality' : 'order', at, location)
  refuseNamedDate(operand, literal)
  const value = analyzeCompared(operand, literal, text)
  return compare(operand, operator, findSlot(operand, literal, value, location) ?? value)
}

/** The slot in place of a value, if the plan is made for other values too. */
function findSlot(
  operand: Operand,
  { at }: Literal,
  value: Compared,
  { scope }: FilterLocation,
): Slot | undefined {
  if (value === null || typeof value === 'object') return undefined
  return scope.statement.slots?.make(at, getOperandFacts(operand), value)
}

function analyzeLike({ left, value: literal, at }: Like, location: FilterLocation): Filter {
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, [literal], 'LIKE', location)
  }
  const operand = analyzeLeftSide(left, 'like', at, location)
  const pattern = analyzeValue(getOperandFacts(operand), literal, location.scope.text)
  return like(operand, pattern === null ? null : String(pattern))
}

function analyzeIn({ left, negated, values: literals, at }: In, location: FilterLocation): Filter {
  if (left.kind === 'call' && left.function === 'toLabel') {
    return analyzeLabel(left as FieldCall, literals, negated ? '!=' : '=', location)
  }
  const operand = analyzeLeftSide(left, 'equality', at, location)
  const compared = literals.map((literal) => {
    refuseNamedDate(operand, literal)
    return analyzeCompared(operand, literal, location.scope.text)
  })
  const filter = among(operand, compared)
  return negated ? not(filter) : filter
}

function analyzeIncludes(
  { left, negated, values: literals, at }: Includes,
  location: FilterLocation,
): Filter {
  const operand = analyzeLeftSide(left, 'includes', at, location)
  const facts = getOperandFacts(operand)
  const chosen = literals.map((literal) => {
    const value = analyzeValue(facts, literal, location.scope.text)
    return value === null ? null : String(value)
  })
  const filter = includes(operand, chosen)
  return negated ? not(filter) : filter
}

/** Reads the value that a member is compared with. */
function readMemberValue(literal: Literal, text: string): (Filter & { kind: 'member' })['value'] {
  switch (literal.kind) {
    case 'null':
      return null
    case 'string':
      return { text: literal.value, type: 'text' }
    case 'number':
      // The numbers of documents are doubles.
      return { text: String(literal.value), type: 'numeric' }
    case 'boolean':
      return { text: String(literal.value), type: 'boolean' }
    default:
      throw queryError(
        'INVALID_FIELD',
        text,
        literal.at,
        'a member of a document is compared with a text, a number, a boolean or null',
      )
  }
}

function analyzeMemberComparison(
  { negated, path, members, value, at }: MemberComparison,
  { scope, clause }: FilterLocation,
): Filter {
  const operand = analyzeOperand(path, scope)
  if (operand.kind !== 'field' || operand.field.type.hasMembers !== true || clause === 'having') {
    throw queryError('INVALID_FIELD', scope.text, at, `field '${path.segments.join('.')}' has no members`)
  }
  const filter: Filter = { kind: 'member', operand, members, value: readMemberValue(value, scope.text) }
  return negated ? not(filter) : filter
}

/** Resolves a condition to the filter of a plan. (docs/reference/api/queries.md#conditions) */
export function analyzeFilter(condition: Condition, location: FilterLocation): Filter {
  const inside = location.topLevel ? { ...location, topLevel: false } : location
  switch (condition.kind) {
    case 'and':
      return { kind: 'and', terms: condition.terms.map((term) => analyzeFilter(term, location)) }
    case 'or':
      return { kind: 'or', terms: condition.terms.map((term) => analyzeFilter(term, inside)) }
    case 'not':
      return not(analyzeFilter(condition.term, inside))
    case 'comparison':
      return analyzeComparison(condition, location)
    case 'memberComparison':
      return analyzeMemberComparison(condition, location)
    case 'like':
      return analyzeLike(condition, location)
    case 'in':
      return analyzeIn(condition, location)
    case 'includes':
      return analyzeIncludes(condition, location)
    case 'semiJoin':
      return analyzeSemiJoin(condition, location, analyzeFilter)
  }
}
