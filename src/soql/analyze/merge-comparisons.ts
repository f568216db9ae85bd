import type { Filter, Operand, PlanValue } from '../plan/plan.ts'
import { Slot } from '../plan/slot.ts'

/** A condition as compiled. `likeAny` does not occur in plans: merging adds it. */
export type MergedFilter =
  | Filter
  | { readonly kind: 'likeAny'; readonly operand: Operand; readonly patterns: readonly string[] }
  | { readonly kind: 'not'; readonly term: MergedFilter }

/** Fewer patterns are not merged: PostgreSQL can use an index for `Acme%`, but not for an array of patterns. */
const MIN_PATTERNS = 20

/** Equal for equal expressions; undefined for kinds that are not worth merging. */
function makeOperandKey(operand: Operand): string | undefined {
  switch (operand.kind) {
    case 'field':
      return `${operand.source.alias} ${operand.field.name}`
    case 'datePart':
      return `${operand.source.alias} ${operand.field.name} ${operand.function} ${operand.zoned}`
    case 'aggregate':
      return `${operand.of?.source.alias} ${operand.of?.field.name} ${operand.function}`
    default:
      return undefined
  }
}

/** An operand compared with values by equality or LIKE. */
interface Comparison {
  readonly kind: 'in' | 'like'
  readonly operand: Operand
  readonly values: readonly PlanValue[]
}

function toComparison(filter: Filter): Comparison | undefined {
  switch (filter.kind) {
    case 'in':
      return filter
    case 'like':
      return { kind: 'like', operand: filter.operand, values: [filter.pattern] }
    case 'compare': {
      const { operand, operator, value } = filter
      // Booleans are compared differently, and there are only two of them.
      // A value that is not known yet cannot be one of a list.
      return operator === '=' && typeof value !== 'boolean' && !(value instanceof Slot)
        ? { kind: 'in', operand, values: [value] }
        : undefined
    }
    default:
      return undefined
  }
}

/** Comparisons of one kind and operand, and their original terms. */
class Group {
  readonly #comparison: Comparison
  readonly #negated: boolean
  readonly #values = new Set<PlanValue>()
  readonly #terms: Filter[] = []

  constructor(comparison: Comparison, negated: boolean) {
    this.#comparison = comparison
    this.#negated = negated
  }

  add({ values }: Comparison, term: Filter): void {
    for (const value of values) this.#values.add(value)
    this.#terms.push(term)
  }

  merge(): readonly MergedFilter[] {
    const { kind, operand } = this.#comparison
    if (this.#terms.length === 1 || (kind === 'like' && this.#values.size < MIN_PATTERNS)) return this.#terms
    const merged: MergedFilter =
      kind === 'in'
        ? { kind, operand, values: [...this.#values] }
        : { kind: 'likeAny', operand, patterns: [...this.#values].map(String) }
    return [this.#negated ? { kind: 'not', term: merged } : merged]
  }
}

/** `a OR (b OR c)` is `a OR b OR c`. */
function* flatten(terms: readonly Filter[], kind: 'and' | 'or'): Generator<Filter> {
  for (const term of terms) {
    if (term.kind === kind) yield* flatten(term.terms, kind)
    else yield term
  }
}

/**
 * The terms of an OR or an AND, with all equalities of an operand merged, and its patterns if there are many:
 * `Name = 'a' OR Name = 'b'` is `Name IN ('a', 'b')`, `Name != 'a' AND Name != 'b'` is `Name NOT IN ('a', 'b')`. So
 * thousands of comparisons take one parameter and can use an index. Conditions are true or false, never unknown, so
 * this does not change results.
 */
export function mergeComparisons({ kind, terms }: Filter & { kind: 'and' | 'or' }): readonly MergedFilter[] {
  const groups = new Map<string, Group>()
  /** In the order of first occurrence. */
  const slots: (Filter | Group)[] = []
  const negated = kind === 'and'
  for (const term of flatten(terms, kind)) {
    const compared = negated ? (term.kind === 'not' ? term.term : undefined) : term
    const comparison = compared && toComparison(compared)
    const key = comparison && makeOperandKey(comparison.operand)
    if (comparison === undefined || key === undefined) {
      slots.push(term)
      continue
    }
    const groupKey = `${comparison.kind} ${key}`
    let group = groups.get(groupKey)
    if (group === undefined) {
      group = new Group(comparison, negated)
      groups.set(groupKey, group)
      slots.push(group)
    }
    group.add(comparison, term)
  }
  return slots.flatMap((slot) => (slot instanceof Group ? slot.merge() : slot))
}
