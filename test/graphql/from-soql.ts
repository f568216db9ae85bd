import { NAME_ENTITY } from '../../src/schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../src/schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import type { Expression } from '../../src/soql/parse/function-call.ts'
import type { LikePattern, Literal } from '../../src/soql/parse/literal.ts'
import type { Condition, OrderItem } from '../../src/soql/parse/tree.ts'

/** Thrown where GraphQL has no words: for labels, numbers of more digits than they have in JSON, lists of booleans. */
export class Unsayable extends Error {}

type Members = Record<string, unknown>

const OPERATORS = { '=': 'eq', '!=': 'ne', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const
/** As many as a number holds for sure. */
const MAX_DIGITS = 14

/** Members around one that belongs to the field at the end of a path, in the spelling of the schema. */
function around(
  object: ObjectType,
  path: readonly string[],
  schema: SchemaSnapshot,
  inner: unknown,
): Members {
  const [first, ...rest] = path as [string, ...string[]]
  if (rest.length > 0 && first.toLowerCase() === object.name.toLowerCase())
    return around(object, rest, schema, inner)
  if (rest.length === 0) return { [object.field(first)!.name]: inner }
  const { referenceTo, definition } = object.parent(first)!
  const parent = referenceTo.length > 1 ? NAME_ENTITY : schema.object(referenceTo[0]!)!
  const members = around(parent, rest, schema, inner)
  return { [definition.relationship!]: referenceTo.length > 1 ? { Name: members } : members }
}

/** A literal as a value of JSON; dates of fields are wrapped, those of parts of dates are not. */
function makeJson(literal: Literal | LikePattern, wrapped: boolean): unknown {
  switch (literal.kind) {
    case 'null':
      return null
    case 'number':
      if (literal.text.replaceAll(/\D/g, '').length > MAX_DIGITS) throw new Unsayable(literal.text)
      return literal.value
    case 'date':
    case 'datetime':
      return wrapped ? { value: literal.value } : literal.value
    case 'dateLiteral':
      if (!wrapped) throw new Unsayable('a function and a named date')
      if (literal.n === undefined) return { literal: literal.name }
      return { range: { [literal.name.toLowerCase()]: literal.n } }
    case 'currency':
      throw new Unsayable('an amount with its currency')
    default:
      return literal.value
  }
}

/** Puts operators on what stands left of them. */
function on(left: Expression, operators: (wrapped: boolean) => Members, location: Location): Members {
  const { object, schema } = location
  if (left.kind === 'path') return around(object, left.segments, schema, operators(true))
  if (left.function === 'DISTANCE') {
    const [path, to, unit] = left.args as never as [
      { segments: string[] },
      { kind: string; args: { value: number }[] },
      { value: string },
    ]
    if (to.kind === 'path') throw new Unsayable('the distance between two fields')
    const [latitude, longitude] = to.args.map(({ value }) => value)
    const [[operator, radius]] = Object.entries(operators(false)) as [[string, number]]
    const near = { latitude, longitude, radius, unit: unit.value.toUpperCase() === 'KM' ? 'KM' : 'MI' }
    return around(object, path.segments, schema, { [operator]: near })
  }
  if (left.function === 'toLabel') throw new Unsayable('a label')
  const [argument] = left.args as never as [
    { kind: string; segments: string[]; args: { segments: string[] }[] },
  ]
  const zoned = argument.kind === 'call'
  const { segments } = zoned ? argument.args[0]! : argument
  const way = zoned ? 'convertTimezoneValue' : 'value'
  return around(object, segments, schema, { [left.function]: { [way]: operators(false) } })
}

/** The name of the type of the field at the end of a path. */
function typeAt(object: ObjectType, path: readonly string[], schema: SchemaSnapshot): string {
  const [first, ...rest] = path as [string, ...string[]]
  if (rest.length > 0 && first.toLowerCase() === object.name.toLowerCase())
    return typeAt(object, rest, schema)
  if (rest.length === 0) return object.field(first)!.type.name
  const { referenceTo } = object.parent(first)!
  return typeAt(referenceTo.length > 1 ? NAME_ENTITY : schema.object(referenceTo[0]!)!, rest, schema)
}

/** Types that a list of values has no operator for. */
const UNLISTED = ['boolean', 'multipicklist']

interface Location {
  readonly object: ObjectType
  readonly schema: SchemaSnapshot
}

/** A condition of the query language as a filter of GraphQL. */
export function makeWhere(condition: Condition, location: Location): Members {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { [condition.kind]: condition.terms.map((term) => makeWhere(term, location)) }
    case 'not':
      return { not: makeWhere(condition.term, location) }
    case 'comparison': {
      const { left, operator, value } = condition
      return on(left, (wrapped) => ({ [OPERATORS[operator]]: makeJson(value, wrapped) }), location)
    }
    case 'like':
      return on(condition.left, () => ({ like: makeJson(condition.value, false) }), location)
    case 'in': {
      const { left, negated, values } = condition
      if (
        left.kind === 'path' &&
        UNLISTED.includes(typeAt(location.object, left.segments, location.schema))
      ) {
        throw new Unsayable('a list of them')
      }
      const all = (wrapped: boolean) => values.map((value) => makeJson(value, wrapped))
      return on(left, (wrapped) => ({ [negated ? 'nin' : 'in']: all(wrapped) }), location)
    }
    case 'includes': {
      const values = condition.values.map((value) => makeJson(value, false))
      return on(condition.left, () => ({ [condition.negated ? 'excludes' : 'includes']: values }), location)
    }
    case 'memberComparison':
      throw new Unsayable('a member of a document')
    case 'semiJoin': {
      const { left, negated, query } = condition
      const [item] = query.items
      if (item?.kind !== 'field') throw new Error('a semi-join selects a field')
      const object = location.schema.object(query.from.object.text)!
      const filter = query.where === undefined ? {} : makeWhere(query.where, { ...location, object })
      const join = { [object.name]: filter, ApiName: item.path.segments[0] }
      return on(left, () => ({ [negated ? 'ninq' : 'inq']: join }), location)
    }
  }
}

/** An order of the query language. A member can stand there once only. */
export function makeOrder(items: readonly OrderItem[], { object, schema }: Location): Members {
  const order: Members = {}
  for (const { by, direction, nulls } of items) {
    if (by.kind !== 'path') throw new Unsayable('an order by a function')
    const members = around(object, by.segments, schema, {
      order: direction ?? 'ASC',
      nulls: nulls ?? 'FIRST',
    })
    const [name] = Object.keys(members) as [string]
    if (name in order) throw new Unsayable('two orders by one parent')
    Object.assign(order, members)
  }
  return order
}
