import { ApiError } from '../../base/api-error.ts'
import type { NamedDateLiteral } from '../parse/literal.ts'
import type { ComparisonOperator } from '../parse/tree.ts'
import { getOperandFacts } from '../plan/operand.ts'
import type { Filter, Operand, PlanValue } from '../plan/plan.ts'
import { Slot } from '../plan/slot.ts'

/*
 * Conditions on an operand, with the rules for nulls, named dates and multiple values, for SOQL and GraphQL. (docs/reference/api/queries.md#conditions, docs/reference/api/queries.md#dates)
 */

/** A named date literal, resolved when the query runs: `LAST_N_DAYS` with its `n`. */
export interface NamedDays {
  readonly days: Pick<NamedDateLiteral, 'name' | 'n'>
}

/** A value that an operand is compared with. The empty text is null where values are equal, and before all others in their order. */
export type Compared = PlanValue | NamedDays | null

const isNothing = (value: Compared) => value === null || value === ''

export const NEVER: Filter = { kind: 'or', terms: [] }

export const not = (term: Filter): Filter => ({ kind: 'not', term })

/** A boolean is never null: null means false. */
function isNull(operand: Operand): Filter {
  return getOperandFacts(operand).literal === 'boolean'
    ? { kind: 'compare', operand, operator: '=', value: false }
    : { kind: 'isNull', operand }
}

/** Nothing is before or after a null. Every value is after the empty text: clients page by `Id > ''`. */
export function compare(operand: Operand, operator: ComparisonOperator, value: Compared | Slot): Filter {
  if (operator === '!=') return not(compare(operand, '=', value))
  if (value instanceof Slot) return { kind: 'compare', operand, operator, value }
  if (operator === '=' && isNothing(value)) return isNull(operand)
  if (value === null) return NEVER
  if (typeof value === 'object') return { kind: 'days', operand, operator, literal: value.days }
  return { kind: 'compare', operand, operator, value }
}

/** @param pattern null or empty: matches null */
export function like(operand: Operand, pattern: string | null): Filter {
  return pattern === null || pattern === '' ? isNull(operand) : { kind: 'like', operand, pattern }
}

const oneOf = (terms: readonly Filter[]): Filter => (terms.length === 1 ? terms[0]! : { kind: 'or', terms })

/** Equal to one of several values. Plain values make one condition; nulls and named dates make separate ones. */
export function among(operand: Operand, compared: readonly Compared[]): Filter {
  const values: PlanValue[] = []
  const others: Filter[] = []
  // A list may hold null a thousand times.
  for (const value of new Set(compared)) {
    const plain = !isNothing(value) && typeof value !== 'object' && typeof value !== 'boolean'
    if (plain) values.push(value)
    else others.push(compare(operand, '=', value))
  }
  return oneOf(values.length > 0 ? [{ kind: 'in', operand, values }, ...others] : others)
}

/** Maximum values of all sets of a condition: each set is looked for in each record. */
const MAX_CHOSEN = 50_000

/** All values of at least one set, written `A;B`, are selected; null or empty: none is. */
export function includes(operand: Operand, chosen: readonly (string | null)[]): Filter {
  const sets: string[][] = []
  const terms: Filter[] = []
  let count = 0
  for (const values of chosen) {
    if (values !== null) count += values.split(';', MAX_CHOSEN + 1).length
    if (count > MAX_CHOSEN) {
      throw new ApiError(
        'QUERY_TOO_COMPLICATED',
        `INCLUDES and EXCLUDES may name at most ${MAX_CHOSEN} values together`,
      )
    }
    if (values === null || values === '') terms.push(isNull(operand))
    else {
      const parts = values.split(';').map((part) => part.trim())
      sets.push(parts.filter((part) => part !== ''))
    }
  }
  return oneOf(sets.length > 0 ? [{ kind: 'includes', operand, sets }, ...terms] : terms)
}

/** Combines two optional conditions with AND. */
export function combineFilters(a: Filter | undefined, b: Filter | undefined): Filter | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return { kind: 'and', terms: [a, b] }
}
