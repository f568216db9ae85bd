import { type Sql, sql } from '../../base/sql.ts'
import type { Expression, Operation, Value } from '../language/expression.ts'
import { Decimal } from '../values/number.ts'
import { compareText } from '../values/text.ts'
import { makeOperation } from './operation.sql.ts'

/** Negative, zero or positive. Booleans are only equal or not. */
function compare(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (a instanceof Decimal) return a.comparedTo(b as Decimal)
  if (typeof a === 'string') return compareText(a, b as string)
  return Number(a) - Number(b)
}

const TESTS: Readonly<Record<string, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '>': (difference) => difference > 0,
  '<=': (difference) => difference <= 0,
  '>=': (difference) => difference >= 0,
}

/** Cost of a character that is compared. */
const COMPARED = 8

const symbol = (operator: string) => sql.raw(operator)

/** Everything but texts: nothing is neither equal to a value nor different from it. */
const makeComparison = (operator: string): Operation =>
  makeOperation({
    label: `operator '${operator}'`,
    evaluate: ([a, b]) => TESTS[operator]!(compare(a, b)),
    sql: ([a, b]) => sql`(${a!} ${symbol(operator)} ${b!})`,
  })

/** The order of code points, which does not depend on a language. */
const makeTextOrder = (operator: string): Operation =>
  makeOperation({
    label: `operator '${operator}'`,
    costPerCharacter: COMPARED,
    evaluate: ([a, b]) => TESTS[operator]!(compareText(a, b)),
    sql: ([a, b]) => sql`(${a!} collate "C" ${symbol(operator)} ${b!} collate "C")`,
  })

const isLiteral = (expression: Expression) => expression.kind === 'literal' && expression.value !== null

/** No text is equal to no text. */
const makeTextEquality = (operator: '=' | '<>'): Operation =>
  makeOperation({
    label: `operator '${operator}'`,
    takesNull: true,
    costPerCharacter: COMPARED,
    evaluate: ([a, b]) => TESTS[operator]!(compareText(a ?? '', b ?? '')),
    sql([a, b], expressions) {
      const known = (value: Sql, index: number) =>
        isLiteral(expressions[index]!) ? value : sql`coalesce(${value}, '')`
      return sql`(${known(a!, 0)} ${symbol(operator)} ${known(b!, 1)})`
    },
  })

/** The 15 characters by which formulas know a record. */
const makeIdEquality = (operator: '=' | '<>'): Operation =>
  makeOperation({
    label: `operator '${operator}'`,
    takesNull: true,
    evaluate: ([a, b]) => TESTS[operator]!(compareText((a ?? '').slice(0, 15), (b ?? '').slice(0, 15))),
    sql: ([a, b]) => sql`(coalesce(left(${a!}, 15), '') ${symbol(operator)} coalesce(left(${b!}, 15), ''))`,
  })

const EQUALITY = ['=', '<>'] as const
const ORDER = ['<', '>', '<=', '>='] as const
const all = [...EQUALITY, ...ORDER]

const COMPARISONS = new Map(all.map((operator) => [operator as string, makeComparison(operator)]))
const TEXT_COMPARISONS = new Map<string, Operation>([
  ...EQUALITY.map((operator) => [operator, makeTextEquality(operator)] as const),
  ...ORDER.map((operator) => [operator, makeTextOrder(operator)] as const),
])
const ID_COMPARISONS = new Map(EQUALITY.map((operator) => [operator as string, makeIdEquality(operator)]))

/** The operation of a comparison of two expressions of one type. */
export function findComparison(operator: string, left: Expression, right: Expression): Operation {
  if (left.type !== 'Text') return COMPARISONS.get(operator)!
  const isId = left.facts.isId === true || right.facts.isId === true
  return (isId ? ID_COMPARISONS.get(operator) : undefined) ?? TEXT_COMPARISONS.get(operator)!
}
