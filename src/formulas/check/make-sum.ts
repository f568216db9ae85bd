import { ARITHMETIC } from '../functions/arithmetic.sql.ts'
import type { Made } from '../functions/function.ts'
import {
  concatenation,
  daysBetween,
  millisecondsBetween,
  moveDate,
  moveDateTime,
  moveTime,
  timeBetween,
} from '../functions/moments.sql.ts'
import { boundFacts, boundNumber } from '../functions/operation.sql.ts'
import { asType } from '../functions/unify.ts'
import type { Expression } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'

/** The operators `+`, `-` and `&`, whose meaning depends on the types of both sides. */

const addTime = moveTime(1)
const subtractTime = moveTime(-1)

function makeNumber(operator: '+' | '-', left: Expression, right: Expression): Made {
  const { operation, facts } = ARITHMETIC[operator]
  const known = facts(left.facts, right.facts, [left, right])
  return {
    type: 'Number',
    facts: boundFacts(known),
    operation: boundNumber(operation, known),
    args: [left, right],
  }
}

function makeMoved(left: Expression, right: Expression, sign: 1 | -1): Made | undefined {
  if (right.type !== 'Number') return undefined
  const args = [left, right]
  if (left.type === 'Date') return { type: 'Date', ...moveDate(left, right, sign), args }
  if (left.type === 'DateTime') return { type: 'DateTime', ...moveDateTime(left, right, sign), args }
  if (left.type !== 'Time') return undefined
  return { type: 'Time', facts: {}, operation: sign === 1 ? addTime : subtractTime, args }
}

function makeText(left: Expression, right: Expression): Made {
  const length = (left.facts.length ?? 0) + (right.facts.length ?? 0)
  return { type: 'Text', facts: { length }, operation: concatenation, args: [left, right] }
}

const refuse = (label: string, expected: string, received: Expression): never => {
  throw new FormulaError(
    `Incorrect parameter type for ${label}. Expected ${expected}, received ${received.type}`,
    received.at,
  )
}

/** An operand beside null is added to a null of the fitting type. */
function complete(left: Expression, right: Expression): readonly [Expression, Expression] {
  const fitting = (other: Expression) => (other.type === 'Text' ? 'Text' : 'Number')
  if (left.type === 'Null') return [asType(left, fitting(right)), asType(right, 'Number')]
  return [left, asType(right, fitting(left))]
}

export function makeAddition(operator: '+' | '&', a: Expression, b: Expression, label: string): Made {
  if (operator === '&') {
    const [left, right] = [asType(a, 'Text'), asType(b, 'Text')]
    for (const one of [left, right]) if (one.type !== 'Text') refuse(label, 'Text', one)
    return makeText(left, right)
  }
  const [left, right] = complete(a, b)
  if (left.type === 'Text' && right.type === 'Text') return makeText(left, right)
  if (left.type === 'Number' && right.type === 'Number') return makeNumber('+', left, right)
  const moved = makeMoved(left, right, 1) ?? (right.type === 'Time' ? undefined : makeMoved(right, left, 1))
  if (moved !== undefined) return moved
  const isText = left.type === 'Text'
  return refuse(label, isText ? 'Text' : 'Number', left.type === 'Boolean' ? left : right)
}

const DIFFERENCES = { Date: daysBetween, DateTime: timeBetween, Time: millisecondsBetween } as const
const DIFFERENCE_FACTS = {
  Date: { scale: 0, digits: 7 },
  DateTime: { scale: 40, digits: 7 },
  Time: { scale: 0, digits: 8 },
} as const

export function makeSubtraction(a: Expression, b: Expression, label: string): Made {
  const [left, right] = complete(a, b)
  if (left.type === 'Number' && right.type === 'Number') return makeNumber('-', left, right)
  const moved = makeMoved(left, right, -1)
  if (moved !== undefined) return moved
  const type = left.type as keyof typeof DIFFERENCES
  if (left.type === right.type && DIFFERENCES[type] !== undefined) {
    return {
      type: 'Number',
      facts: DIFFERENCE_FACTS[type],
      operation: DIFFERENCES[type],
      args: [left, right],
    }
  }
  const isFitting = left.type === 'Number' || DIFFERENCES[type] !== undefined
  return refuse(label, isFitting ? 'Number' : 'Number, Date, DateTime, Time', isFitting ? right : left)
}
