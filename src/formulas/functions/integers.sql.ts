import { type Sql, sql } from '../../base/sql.ts'
import type { Expression } from '../language/expression.ts'
import { MAX_DIGITS } from '../language/formula-type.ts'
import type { Decimal } from '../values/number.ts'

/** A whole number in the text of a statement. */
export const whole = (value: number): Sql => sql.raw(value < 0 ? `(${value})` : String(value))

/** A number cut to a whole one between two bounds, as both backends see counts and positions. */
export const toWhole = (value: Decimal, least: number, most: number): number =>
  Math.min(Math.max(value.trunc().toNumber(), least), most)

/** The same as an integer in SQL. */
export function asWhole(value: Sql, expression: Expression, least: number, most: number): Sql {
  if (expression.kind === 'literal' && expression.value !== null) {
    return whole(toWhole(expression.value as Decimal, least, most))
  }
  const cases: Sql[] = []
  const bound = 10 ** (expression.facts.digits ?? MAX_DIGITS)
  const [low, high] = expression.facts.range ?? [-bound, bound]
  if (low < least) cases.push(sql`when ${value} < ${whole(least)} then ${whole(least)}`)
  if (high > most) cases.push(sql`when ${value} > ${whole(most)} then ${whole(most)}`)
  const kept = expression.facts.scale === 0 ? value : sql`trunc(${value})`
  return cases.length === 0
    ? sql`${kept}::integer`
    : sql`(case ${sql.join(cases, ' ')} else ${kept} end)::integer`
}
