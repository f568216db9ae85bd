import { isQueryable } from '../../schema/describe/describe-object.ts'
import type { Field } from '../../schema/fields/field.ts'
import { explanations, malformedQuery, queryError } from '../parse/query-error.ts'
import type { Condition, SemiJoin } from '../parse/tree.ts'
import type { FieldRef, Filter } from '../plan/plan.ts'
import type { FilterLocation } from './filter-location.ts'
import { not } from './make-filter.ts'
import { Scope } from './scope.ts'

const MAX_SEMI_JOINS = 2

/** Objects that an inner select may not query. (docs/reference/api/queries.md#semi-joins) */
const UNSUPPORTED_INNER_OBJECTS = ['Attachment', 'Event', 'Note', 'Task']

/** Names of the objects that ids in the field may belong to. */
function getTargets({ source, field }: FieldRef): readonly string[] {
  return field.name === 'Id' ? [source.object.name] : field.referenceTo
}

const isIdField = (field: Field) => field.type.literal === 'id'

function checkLocation({ clause, topLevel, counts }: FilterLocation): void {
  if (clause === 'semiJoin') throw malformedQuery('Nesting of semi join sub-selects is not supported')
  if (clause !== 'where') {
    throw malformedQuery(
      'Semi join sub-selects are only allowed at the top level WHERE expressions and not nested WHERE expressions',
    )
  }
  if (!topLevel) throw malformedQuery("Semi join sub-selects are not allowed with the 'OR' operator")
  counts.semiJoins++
  if (counts.semiJoins > MAX_SEMI_JOINS) throw malformedQuery('Maximum 2 semi join sub-selects are allowed')
}

interface SemiJoinParts {
  readonly location: FilterLocation
  /** The field on the left side. */
  readonly outer: FieldRef
  /** The inner query's scope and its selected field. */
  readonly inner: Scope
  readonly operand: FieldRef
  /** Makes the inner query's filter. */
  readonly filter: (inside: FilterLocation) => Filter | undefined
  /** Offset in the text of the query. */
  readonly at: number
}

/**
 * Makes the condition that an id is among those selected from other records.
 * @throws ApiError MALFORMED_QUERY if a semi-join is not allowed there, or the fields refer to different objects
 */
export function makeSemiJoin({ location, outer, inner, operand, filter, at }: SemiJoinParts): Filter {
  checkLocation(location)
  const { scope } = location
  if (!isIdField(outer.field))
    throw malformedQuery('The left operand of a semi join must be an id or reference field')
  if (outer.source !== scope.root) {
    throw malformedQuery('The left operand of a semi join may not be a field of a related object')
  }
  const { object } = inner.root
  if (object === scope.root.object) {
    throw malformedQuery('The inner and outer selects should not be on the same object type')
  }
  if (UNSUPPORTED_INNER_OBJECTS.includes(object.name) || !isQueryable(object)) {
    throw malformedQuery(`Entity '${object.name}' is not supported for semi join inner selects`)
  }
  if (operand.source !== inner.root || !isIdField(operand.field)) {
    throw malformedQuery('A semi join sub-select selects an id or reference field of its own object')
  }
  if (!getTargets(operand).some((target) => getTargets(outer).includes(target))) {
    throw queryError(
      'MALFORMED_QUERY',
      scope.text,
      at,
      `The selected field '${operand.field.name}' in the subquery and the left operand field '${outer.field.name}' in the where expression in the outer query should point to the same object type`,
    )
  }
  const plan = {
    sources: inner.sources,
    operand,
    filter: filter({ ...location, scope: inner, clause: 'semiJoin', topLevel: true }),
  }
  return { kind: 'semiJoin', operand: { kind: 'field', ...outer }, plan }
}

/** `Id IN (SELECT AccountId FROM Contact)`. (docs/reference/api/queries.md#semi-joins) */
export function analyzeSemiJoin(
  { left, negated, query, at }: SemiJoin,
  location: FilterLocation,
  analyzeFilter: (condition: Condition, location: FilterLocation) => Filter,
): Filter {
  const { scope } = location
  const { statement } = scope
  if (left.kind !== 'path')
    throw malformedQuery('The left operand of a semi join must be an id or reference field')
  const outer = scope.resolve(left)
  const { object: name, alias } = query.from
  const object = statement.schema.object(name.text)
  if (object === undefined) {
    throw queryError('INVALID_TYPE', statement.text, name.at, explanations.noSuchObject(name.text))
  }
  const inner = new Scope(statement, object, [alias])
  const [item] = query.items
  if (query.items.length !== 1 || item?.kind !== 'field' || item.alias !== undefined) {
    throw malformedQuery('A semi join sub-select selects exactly one field')
  }
  const joined = makeSemiJoin({
    location,
    outer,
    inner,
    operand: inner.resolve(item.path),
    filter: (inside) => query.where && analyzeFilter(query.where, inside),
    at,
  })
  return negated ? not(joined) : joined
}
