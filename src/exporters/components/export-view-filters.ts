import {
  type FieldAt,
  isTextField,
  RECORD_TYPE,
  type ViewField,
} from '../../definitions/list-views/find-view-field.ts'
import { nameViewField } from '../../definitions/list-views/name-view-field.ts'
import { MAX_BOOLEAN_FILTER, MAX_FILTER_VALUES } from '../../definitions/list-views/view-bounds.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { Expression } from '../../soql/parse/function-call.ts'
import type { LikePattern, Literal } from '../../soql/parse/literal.ts'
import { parseViewCondition } from '../../soql/parse/parse-view.ts'
import type { ComparisonOperator, Condition } from '../../soql/parse/tree.ts'
import { quoteValue } from './quote-value.ts'
import type { Content } from './write-xml.ts'

/** A filter of a list view: its values are alternatives, or none of them may be. */
interface Filter {
  /** The path of the field in queries. */
  readonly path: string
  readonly field: string
  readonly operation: string
  /** An empty one stands for no value. */
  readonly values: readonly string[]
}

const OPERATIONS: Readonly<Record<ComparisonOperator, string>> = {
  '=': 'equals',
  '!=': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessOrEqual',
  '>': 'greaterThan',
  '>=': 'greaterOrEqual',
}

/** Operations of which several with one value each are one with several values, by what joins them. */
const LISTED: Readonly<Record<'and' | 'or', readonly string[]>> = {
  and: ['notEqual'],
  or: ['equals', 'contains', 'startsWith'],
}

const NUMBER = /^-?\d{1,18}(\.\d{1,18})?$/

/** The condition has no filters. */
class NoFilters extends Error {}

/** Thrown for what no filter says. */
function fail(): never {
  throw new NoFilters()
}

/** Spaces around a value of a list are no part of it. */
const isWhole = (text: string) => text !== '' && text === text.trim()

/** The text between the wildcards of a pattern; fails if it has others. */
function readPattern({ kind, value }: LikePattern): { readonly operation: string; readonly text: string } {
  const [, start, inner = '', end] = (kind === 'pattern' && /^(%?)((?:[^%_\\]|\\.)*)(%?)$/s.exec(value)) || []
  const text = inner.replaceAll(/\\(.)/gs, '$1')
  if (end !== '%' || !isWhole(text)) fail()
  return { operation: start === '%' ? 'contains' : 'startsWith', text }
}

const isChosen = ({ type }: ViewField) =>
  type !== RECORD_TYPE && FIELD_TYPES[type].operators.includes('includes')

/** Makes the filters of a condition of an object, and the logic that joins them. */
class FilterWriter {
  readonly #filters: Filter[] = []
  readonly #object: string
  readonly #fieldAt: FieldAt

  constructor(object: string, fieldAt: FieldAt) {
    this.#object = object
    this.#fieldAt = fieldAt
  }

  /** @throws NoFilters */
  write(condition: Condition): Content {
    const whole = this.#write(condition)
    // Without logic all filters hold.
    const isPlain = /^\d+( AND \d+)*$/.test(whole)
    if (!isPlain && whole.length > MAX_BOOLEAN_FILTER) fail()
    return {
      ...(!isPlain && { booleanFilter: whole }),
      filters: this.#filters.map(({ field, operation, values }) => {
        const value = values.map(quoteValue).join(',')
        return { field, operation, ...(value !== '' && { value }) }
      }),
    }
  }

  /** Returns the logic of a condition. */
  #write(condition: Condition): string {
    const filter = this.#makeFilter(condition)
    if (filter !== undefined) return String(this.#filters.push(filter))
    switch (condition.kind) {
      case 'and':
      case 'or':
        return condition.terms.map((term) => this.#writeTerm(term)).join(` ${condition.kind.toUpperCase()} `)
      case 'not':
        return `NOT ${this.#writeTerm(condition.term)}`
      default:
        return fail()
    }
  }

  #writeTerm(term: Condition): string {
    const logic = this.#write(term)
    return /^(NOT )?\d+$/.test(logic) ? logic : `(${logic})`
  }

  /** The only filter of a condition; undefined: it has several. */
  #makeFilter(condition: Condition): Filter | undefined {
    switch (condition.kind) {
      case 'comparison':
        return this.#compare(condition.left, OPERATIONS[condition.operator], [condition.value])
      case 'in':
        return this.#compare(condition.left, condition.negated ? 'notEqual' : 'equals', condition.values)
      case 'includes':
        return this.#makeChosen(condition.left, condition.negated ? 'excludes' : 'includes', condition.values)
      case 'like':
        return this.#makeLike(condition.left, condition.value as LikePattern)
      case 'not': {
        const filter = this.#makeFilter(condition.term)
        return filter?.operation === 'contains' ? { ...filter, operation: 'notContain' } : undefined
      }
      case 'and':
      case 'or':
        return this.#join(condition.kind, condition.terms)
      default:
        return undefined
    }
  }

  #findField(left: Expression): Pick<Filter, 'path' | 'field'> & { readonly known: ViewField } {
    const path = left.kind === 'path' ? left.segments.join('.') : fail()
    const { name, field } = nameViewField(this.#fieldAt, this.#object, path) ?? fail()
    return { path: field.path, field: name, known: field }
  }

  #compare(left: Expression, operation: string, literals: readonly Literal[]): Filter {
    const { known, ...named } = this.#findField(left)
    const values = literals.map((literal) => this.#writeValue(known, literal))
    const isEquality = operation === 'equals' || operation === 'notEqual'
    if (isChosen(known) && (values.length > 1 || values[0] !== '')) fail()
    if (values.length > MAX_FILTER_VALUES || (!isEquality && values.includes(''))) fail()
    return { ...named, operation, values }
  }

  #makeChosen(left: Expression, operation: string, literals: readonly Literal[]): Filter {
    const { known: _, ...named } = this.#findField(left)
    const values = literals.map((literal) => (literal.kind === 'string' ? literal.value : ''))
    if (values.length > MAX_FILTER_VALUES || !values.every(isWhole)) fail()
    return { ...named, operation, values }
  }

  #makeLike(left: Expression, pattern: LikePattern): Filter {
    const { known, ...named } = this.#findField(left)
    const { operation, text } = readPattern(pattern)
    return isTextField(known) ? { ...named, operation, values: [text] } : fail()
  }

  /** Several conditions as one filter, if they are about one field. */
  #join(kind: 'and' | 'or', terms: readonly Condition[]): Filter | undefined {
    if (terms.some((term) => term.kind !== 'comparison' && term.kind !== 'like')) return undefined
    const filters = terms.map((term) => this.#makeFilter(term)!)
    const [{ path, field, operation }] = filters as [Filter, ...Filter[]]
    const values = filters.flatMap((one) => one.values)
    // Chosen values are compared with none alone, which is no list.
    const isList = values.length <= MAX_FILTER_VALUES && values.some((value) => value !== '')
    const isAlike = filters.every((one) => one.path === path && one.operation === operation)
    return isList && isAlike && LISTED[kind].includes(operation)
      ? { path, field, operation, values }
      : undefined
  }

  /** A value as filters have it; no other one of its type depends on a locale. */
  #writeValue(known: ViewField, literal: Literal): string {
    const { path, type } = known
    switch (literal.kind) {
      case 'null':
        return ''
      case 'string':
        if (literal.value === '') return ''
        if (!isTextField(known) || !isWhole(literal.value)) fail()
        if (type !== RECORD_TYPE) return literal.value
        // Of another object than the list view's it would have to be named with that one.
        return path.split('.').length > 2 || literal.value.includes('.')
          ? fail()
          : `${this.#object}.${literal.value}`
      case 'boolean':
        return literal.value ? '1' : '0'
      case 'number':
        return NUMBER.test(literal.text) ? literal.text : fail()
      case 'dateLiteral':
        if (literal.n === undefined) return literal.name
        return literal.n < 10_000 ? `${literal.name}:${literal.n}` : fail()
      case 'date':
        return literal.value
      default:
        return fail()
    }
  }
}

/**
 * The condition of a list view as filters.
 * @returns undefined: the format has no filters for it
 */
export function exportViewFilters(object: string, where: string, fieldAt: FieldAt): Content | undefined {
  try {
    return new FilterWriter(object, fieldAt).write(parseViewCondition(where))
  } catch (error) {
    if (error instanceof NoFilters) return undefined
    throw error
  }
}
