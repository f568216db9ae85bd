import { listIndexes } from '../../schema/change/ddl.sql.ts'
import { type Field, isKey, isStored } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Filter, Operand, Ordering, PlanBase } from '../plan/plan.ts'
import { areNullsFirst } from '../sql/statement.sql.ts'

/** Which index would serve a query, or why none would. */
export interface Advice {
  readonly object: string
  /** Fields of the index; the next best ones follow. Empty: no index helps. */
  readonly indexes: readonly (readonly string[])[]
  readonly because: string
}

/** Fields of an index that advice names; more make it larger and serve fewer queries. */
const MAX_FIELDS = 4

type FieldOperand = Extract<Operand, { kind: 'field' }>

/** Requirements that the conditions of a query have for an index. */
interface Asked {
  /** Fields that equal a value. */
  readonly equal: Field[]
  /** Fields between values. */
  readonly ranges: Field[]
  /** Descriptions of conditions that no index of fields serves. */
  readonly unserved: string[]
}

const flatten = (filter: Filter | undefined): readonly Filter[] =>
  filter === undefined ? [] : filter.kind === 'and' ? filter.terms.flatMap(flatten) : [filter]

const UNSERVED = {
  or: 'alternatives (OR)',
  not: 'a negation (NOT, !=, NOT IN)',
  isNull: 'a comparison with null',
  includes: 'INCLUDES or EXCLUDES',
  member: 'a member of a document',
  semiJoin: 'a query in the condition',
  search: 'a search',
  recent: 'recently viewed records',
} as const

function addTo(asked: Asked, term: Filter, own: (operand: Operand) => Field | undefined): void {
  switch (term.kind) {
    case 'and':
      return
    case 'or':
    case 'not':
    case 'isNull':
    case 'includes':
    case 'member':
    case 'semiJoin':
    case 'search':
    case 'recent':
      asked.unserved.push(UNSERVED[term.kind])
      return
    default: {
      const field = own(term.operand)
      if (field === undefined)
        asked.unserved.push('a condition on something else than a field of the object itself')
      else if (field.type.literal === 'boolean')
        asked.unserved.push(`a condition on ${field.name}, which has two values`)
      else if (term.kind === 'like' && /^(?:[%_]|$)/.test(term.pattern)) {
        asked.unserved.push(`a pattern of ${field.name} that begins with a wildcard`)
      } else if (
        term.kind === 'in' ||
        term.kind === 'mine' ||
        (term.kind === 'compare' && term.operator === '=')
      ) {
        if (!asked.equal.includes(field)) asked.equal.push(field)
      } else if (!asked.ranges.includes(field)) asked.ranges.push(field)
    }
  }
}

/** The fields of an order that an index can have, read forward or backward; undefined if it cannot. */
function findOrder(
  orderings: readonly Ordering[],
  filter: Filter | undefined,
  own: (operand: Operand) => Field | undefined,
): Field[] | undefined {
  const fields: Field[] = []
  for (const ordering of orderings) {
    const field = own(ordering.operand)
    if (field === undefined || (field.type.sortedAsListed === true && field.picklist.length > 0))
      return undefined
    if (field.name === 'Id') break
    const isForward = areNullsFirst(ordering, filter) === !ordering.descending
    if (!isForward || ordering.descending !== orderings[0]!.descending) return undefined
    fields.push(field)
  }
  return fields
}

const sameFields = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((name) => others.includes(name))

/** True if an index begins with the equal fields in any order and goes on as asked. */
function findServing(
  object: ObjectType,
  equal: readonly Field[],
  tail: readonly Field[],
): readonly string[] | undefined {
  const [names, rest] = [equal.map(({ name }) => name), tail.map(({ name }) => name)]
  return listIndexes(object).find(
    (index) =>
      sameFields(index.slice(0, names.length), names) &&
      rest.every((name, at) => index[names.length + at] === name),
  )
}

const isSelective = (field: Field) => isKey(field) || field.definition.unique === true

/**
 * Names the index that would serve a query: the fields that equal values first, then those of the order or of a range. What it
 * knows is the definitions; whether PostgreSQL would use the index is found by trying it.
 */
export function adviseIndex(plan: PlanBase & { readonly orderings?: readonly Ordering[] }): Advice {
  const [root] = plan.sources
  const { object } = root
  const own = (operand: Operand): Field | undefined => {
    if (operand.kind !== 'field' || operand.source !== root) return undefined
    const { field } = operand as FieldOperand
    return isStored(field) && field.type.sortable ? field : undefined
  }
  const asked: Asked = { equal: [], ranges: [], unserved: [] }
  for (const term of flatten(plan.filter)) addTo(asked, term, own)
  const { equal, ranges, unserved } = asked
  const none = (because: string): Advice => ({ object: object.name, indexes: [], because })
  if (object.definition.view !== undefined) return none(`the platform makes the records of ${object.name}`)
  const key = equal.find(isSelective)
  if (key !== undefined) return none(`the index of ${key.name} serves it`)
  const orderings = plan.orderings ?? []
  const order = findOrder(orderings, plan.filter, own)
  const beyond = (order ?? []).filter((field) => !equal.includes(field))
  const range = ranges.filter((field) => !equal.includes(field)).slice(0, 1)
  const candidates = [beyond, range].filter(({ length }) => length > 0)
  // An index in the order of a query also has the records of a range side by side if it begins with that field.
  if (range.length > 0 && beyond[0] !== range[0] && equal.length === 0) candidates.reverse()
  if (candidates.length === 0 && equal.length > 0) candidates.push([])
  if (candidates.length === 0) return none(explainNone(plan, unserved, order))
  const serving = findServing(object, equal, candidates[0]!)
  if (serving !== undefined) return none(`the index of ${serving.join(', ')} serves it`)
  const indexes = candidates
    .map((tail) => [...equal, ...tail].slice(0, MAX_FIELDS).map(({ name }) => name))
    .filter((names, at, all) => all.findIndex((other) => other.join() === names.join()) === at)
  const rest = unserved.length === 0 ? '' : `; not for ${unserved[0]}`
  return {
    object: object.name,
    indexes,
    because: `no index begins with ${indexes[0]!.join(', ')}${rest}`,
  }
}

function explainNone(
  plan: PlanBase & { readonly orderings?: readonly Ordering[] },
  unserved: readonly string[],
  order: readonly Field[] | undefined,
): string {
  const [what] = unserved
  if (what !== undefined) return `no index serves ${what}`
  if (order === undefined) return 'no index has this order; a descending one needs NULLS LAST'
  return plan.filter === undefined ? 'it reads all records; add a condition' : 'no index would help'
}
