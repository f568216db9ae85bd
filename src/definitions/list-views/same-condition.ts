import { ApiError } from '../../base/api-error.ts'
import type { LikePattern, Literal } from '../../soql/parse/literal.ts'
import { parseViewCondition } from '../../soql/parse/parse-view.ts'
import type { Condition } from '../../soql/parse/tree.ts'

/** A condition in one of the ways to write it, as JSON. */
type Key = readonly unknown[]

/** An empty text is none. */
function keyOfLiteral({ at: _, ...literal }: Literal | LikePattern): unknown {
  return literal.kind === 'string' && literal.value === '' ? { kind: 'null' } : literal
}

function makeList(kind: 'and' | 'or', terms: readonly Key[]): Key {
  const flat = terms.flatMap((term) => (term[0] === kind ? (term.slice(1) as Key[]) : [term]))
  return flat.length === 1 ? flat[0]! : [kind, ...flat]
}

const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, inner) => (name === 'at' ? undefined : inner)))

/** Fields are known by their names in any case. */
const keyOfLeft = (left: unknown) => JSON.parse(JSON.stringify(withoutPlaces(left)).toLowerCase()) as unknown

function makeKey(condition: Condition): Key {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return makeList(condition.kind, condition.terms.map(makeKey))
    case 'not':
      return ['not', makeKey(condition.term)]
    case 'in': {
      const { left, negated, values } = condition
      const operator = negated ? '!=' : '='
      const terms = values.map((value) => [operator, keyOfLeft(left), keyOfLiteral(value)])
      return makeList(negated ? 'and' : 'or', terms)
    }
    case 'comparison':
      return [condition.operator, keyOfLeft(condition.left), keyOfLiteral(condition.value)]
    case 'like':
      return ['like', keyOfLeft(condition.left), keyOfLiteral(condition.value)]
    case 'includes': {
      const { left, negated, values } = condition
      return ['includes', negated, keyOfLeft(left), ...values.map(keyOfLiteral)]
    }
    default:
      return [condition.kind, withoutPlaces(condition)]
  }
}

/** Returns undefined for a text that is not a condition. */
function readKey(text: string): string | undefined {
  try {
    return JSON.stringify(makeKey(parseViewCondition(text)))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** True if two conditions of list views mean the same, as far as their words tell: `A IN ('x', 'y')` and `A = 'x' OR A = 'y'` do. */
export function isSameCondition(one: string, other: string): boolean {
  if (one === other) return true
  const key = readKey(one)
  return key !== undefined && key === readKey(other)
}
