import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import type { Topic } from '../../context.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { compileQuery } from '../../soql/compile/compile.ts'
import { isAggregateFunction } from '../../soql/parse/function-names.ts'
import { parseQuery } from '../../soql/parse/parser.ts'
import type { Condition, Query, SelectItem } from '../../soql/parse/tree.ts'

/** A query of a PushTopic. */
type TopicQuery = Pick<Topic, 'object' | 'selected' | 'filtered'>

const refuse = (message: string) => new ApiError('INVALID_FIELD', message, { fields: ['Query'] })

/** Clauses that a topic has no use for. */
function checkClauses(query: Query): void {
  if (query.grouping !== undefined) throw refuse('Aggregate queries are not supported')
  if (query.orderBy.length > 0) throw refuse("'ORDER BY' clause is not allowed")
  if (query.limit !== undefined) throw refuse("'LIMIT' is not allowed")
  if (query.offset !== undefined) throw refuse("'OFFSET' clause is not allowed")
  if (query.fromPaths.length > 0) throw refuse('relationships are not supported')
  if (query.scope !== undefined) throw refuse("'USING SCOPE' is not allowed")
  if (query.with !== undefined) throw refuse("'WITH' clause is not allowed")
  if (query.forClauses.length > 0) throw refuse("'FOR' clause is not allowed")
  if (query.updateClauses.length > 0) throw refuse("'UPDATE' clause is not allowed")
}

/** The name of a field of the object, whose path may begin with the object or its alias. */
function findName(segments: readonly string[], { from }: Query): string {
  const [first, second] = segments
  if (second === undefined) return first!
  const roots = [from.object.text, from.alias?.text].map((name) => name?.toLowerCase())
  if (segments.length === 2 && roots.includes(first!.toLowerCase())) return second
  throw refuse('relationships are not supported')
}

function readItem(item: SelectItem, query: Query): string {
  switch (item.kind) {
    case 'field':
      return findName(item.path.segments, query)
    case 'childQuery':
    case 'typeof':
      throw refuse('relationships are not supported')
    case 'function':
      throw refuse(
        isAggregateFunction(item.call.function)
          ? 'Aggregate queries are not supported'
          : 'functions are not supported',
      )
    case 'fields':
      throw refuse('FIELDS() is not supported')
  }
}

/** Adds the names of the fields of a condition. */
function readCondition(condition: Condition, query: Query, names: Set<string>): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const term of condition.terms) readCondition(term, query, names)
      return
    case 'not':
      throw refuse("'NOT' is not supported")
    case 'semiJoin':
      throw refuse('semi/anti join sub-selects are not supported')
    case 'memberComparison':
      throw refuse('members of documents are not supported')
    default:
      if (condition.left.kind === 'call') throw refuse('functions are not supported')
      names.add(findName(condition.left.segments, query))
  }
}

const requireField = (object: ObjectType, name: string): Field => {
  const field = object.field(name)
  if (field === undefined) throw refuse(`No such column '${name}' on entity '${object.name}'`)
  return field
}

function checkSelected(field: Field): void {
  const { type, parts, definition } = field
  const isCompound = parts.length > 0 && definition.nameField !== true
  if (type.holdsBytes === true || isCompound) {
    throw refuse(
      `${field.name} is not supported: fields of the type ${type.describedAs} have no values in events`,
    )
  }
  if (type.encrypted !== undefined) throw refuse(`${field.name} is not supported: it is encrypted`)
  for (const part of parts)
    if (part.type.encrypted !== undefined) throw refuse(`${field.name} is not supported`)
}

/**
 * Reads the query of a PushTopic: fields of one object, and a condition on them.
 * @throws ApiError (docs/reference/api/streaming.md#pushtopics)
 */
export function readTopicQuery(text: string, schema: SchemaSnapshot, version: ApiVersion): TopicQuery {
  const query = parseQuery(text)
  checkClauses(query)
  const selectedNames = query.items.map((item) => readItem(item, query))
  const filteredNames = new Set<string>()
  if (query.where !== undefined) readCondition(query.where, query, filteredNames)
  // Refuses what any query is refused for.
  compileQuery(text, schema, version)
  const object = schema.object(query.from.object.text)!
  const { view, historyOf } = object.definition
  if (view !== undefined || historyOf !== undefined || isEventObject(object.name)) {
    throw refuse(`${object.name} is not supported: its records do not change by themselves`)
  }
  const selected = selectedNames.map((name) => requireField(object, name))
  const filtered = [...filteredNames].map((name) => requireField(object, name))
  if (!selected.some(({ name }) => name === 'Id')) throw refuse("'Id' must be selected")
  for (const field of selected) checkSelected(field)
  for (const field of filtered) {
    if (field.formula !== undefined)
      throw refuse(`${field.name} is not supported: conditions take no formula fields`)
    if (field.type.encrypted !== undefined) throw refuse(`${field.name} is not supported: it is encrypted`)
  }
  return {
    object: object.name,
    selected: selected.map(({ name }) => name),
    filtered: filtered.map(({ name }) => name),
  }
}
