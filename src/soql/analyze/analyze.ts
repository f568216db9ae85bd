import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { supportedScopes } from '../../schema/describe/supported-scopes.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { explanations, malformedQuery, queryError } from '../parse/query-error.ts'
import type { Query } from '../parse/tree.ts'
import { findNamedObjects } from '../plan/named-objects.ts'
import { checkSelectedAccess, findNamedRecords } from '../plan/named-records.ts'
import type { Filter, Plan } from '../plan/plan.ts'
import type { Slots } from '../plan/slot.ts'
import { analyzeAggregate, isAggregate } from './analyze-aggregate.ts'
import { makeChildrenAnalyzer } from './analyze-children.ts'
import { analyzeFilter } from './analyze-filter.ts'
import { analyzeOrderings, checkOffset } from './analyze-ordering.ts'
import { analyzeSelection } from './analyze-selection.ts'
import { makeFilterLocation } from './filter-location.ts'
import { isBounded } from './is-bounded.ts'
import { combineFilters } from './make-filter.ts'
import { makeStatement, Scope } from './scope.ts'
import { makeScopeFilter } from './scope-filter.ts'

/**
 * Refuses a query without the filter that its object needs, since its rows are made for what the filter names.
 * @throws ApiError
 */
function checkNeededFilter(plan: Plan): void {
  switch (plan.sources[0].object.name) {
    case 'FieldDefinition':
      findNamedObjects(plan)
      break
    case 'UserRecordAccess':
      checkSelectedAccess(plan)
      findNamedRecords(plan)
      break
  }
}

/** `SELECT COUNT()`. */
function isCount({ items }: Query): boolean {
  const [item] = items
  return (
    items.length === 1 &&
    item?.kind === 'function' &&
    item.alias === undefined &&
    item.call.function === 'COUNT' &&
    item.call.args.length === 0
  )
}

/** Rejects clauses that the object does not support. (docs/reference/api/queries.md#order-limit-and-offset) */
function checkClauses(query: Query, scope: Scope): void {
  const clause = query.with
  if (clause !== undefined && clause.kind !== 'withMode') {
    throw queryError(
      'MALFORMED_QUERY',
      scope.text,
      clause.at,
      `WITH is not supported on ${scope.root.object.name}`,
    )
  }
  if (query.updateClauses.length > 0) {
    throw malformedQuery(`UPDATE TRACKING and VIEWSTAT are not supported on ${scope.root.object.name}`)
  }
  if (query.forClauses.some((entry) => entry.purpose === 'UPDATE') && query.orderBy.length > 0) {
    throw malformedQuery('FOR UPDATE is not allowed with ORDER BY')
  }
}

/** USING SCOPE as a condition; undefined for `everything`. (docs/reference/api/queries.md#scopes) */
function analyzeScope({ scope: using, items }: Query, scope: Scope): Filter | undefined {
  if (using === undefined) return undefined
  if (items.some((item) => item.kind === 'childQuery')) {
    throw malformedQuery('USING SCOPE may not restrict a query with child queries')
  }
  const supported = supportedScopes(scope.root.object)
  const name = using.name.text.toLowerCase()
  const known = supported.find((one) => one.name === name)
  if (known === undefined) {
    throw queryError(
      'INVALID_QUERY_SCOPE',
      scope.text,
      using.name.at,
      `The scope ${using.name.text} is not supported on ${scope.root.object.name}`,
    )
  }
  return makeScopeFilter(known.name, scope)
}

function makeScope(query: Query, schema: SchemaSnapshot, version: ApiVersion, slots?: Slots): Scope {
  const { object: name, alias } = query.from
  const object = schema.object(name.text)
  if (object === undefined) {
    throw queryError('INVALID_TYPE', query.text, name.at, explanations.noSuchObject(name.text))
  }
  if (object.definition.view?.childOnly === true || isEventObject(object.name)) {
    throw new ApiError('INVALID_TYPE_FOR_OPERATION', `entity type ${object.name} does not support query`)
  }
  const scope = new Scope(makeStatement(query.text, schema, version, { slots }), object, [alias])
  for (const { path, alias: pathAlias } of query.fromPaths) scope.addAlias(path, pathAlias)
  return scope
}

function addFilter(plan: Plan, filter: Filter | undefined): Plan {
  return filter === undefined ? plan : { ...plan, filter: combineFilters(plan.filter, filter) }
}

function analyzeCount(query: Query, scope: Scope): Plan {
  if (query.orderBy.length > 0) throw malformedQuery('COUNT() takes no ORDER BY')
  if (query.grouping !== undefined) throw malformedQuery('COUNT() takes no GROUP BY')
  const filter = query.where && analyzeFilter(query.where, makeFilterLocation(scope, 'where'))
  const { limit, offset } = query
  return { kind: 'count', sources: scope.sources, filter, limit: limit?.value, offset: offset?.value }
}

function analyzeRecords(query: Query, scope: Scope): Plan {
  const { limit, offset } = query
  const selection = analyzeSelection(
    query.items,
    scope,
    { bounded: isBounded(query), showsAccess: true },
    makeChildrenAnalyzer(2, limit?.value === 1),
  )
  const filter = query.where && analyzeFilter(query.where, makeFilterLocation(scope, 'where'))
  const orderings = analyzeOrderings(query.orderBy, scope)
  return {
    kind: 'records',
    sources: scope.sources,
    selection,
    filter,
    orderings,
    limit: limit?.value,
    offset: offset?.value,
  }
}

/**
 * Makes the plan of a parsed query: resolves names, checks types and limits. Pure.
 * @param schema the part of the schema that the caller may read: the rest does not exist
 * @param slots of a plan for all queries that differ in some values only
 * @throws ApiError (docs/reference/api/queries.md#codes)
 */
export function analyzeQuery(query: Query, schema: SchemaSnapshot, version: ApiVersion, slots?: Slots): Plan {
  const scope = makeScope(query, schema, version, slots)
  const scopeFilter = analyzeScope(query, scope)
  const plan = isCount(query)
    ? analyzeCount(query, scope)
    : isAggregate(query)
      ? analyzeAggregate(query, scope)
      : analyzeRecords(query, scope)
  checkClauses(query, scope)
  checkOffset(query)
  checkNeededFilter(plan)
  return addFilter(plan, scopeFilter)
}
