import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { supportedScopes } from '../../schema/describe/supported-scopes.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { explanations, refusal } from '../parse/refusal.ts'
import type { Query } from '../parse/tree.ts'
import type { Filter, Plan } from '../plan/plan.ts'
import { analyzeAggregate, isAggregate } from './analyze-aggregate.ts'
import { childrenAnalysis } from './analyze-children.ts'
import { analyzeFilter } from './analyze-filter.ts'
import { analyzeOrderings } from './analyze-ordering.ts'
import { analyzeSelection } from './analyze-selection.ts'
import { checkOffset } from './check-offset.ts'
import { fieldsBounded } from './fields-bounded.ts'
import { whereOf } from './filter-location.ts'
import { both } from './make-filter.ts'
import { recordsOfScope } from './records-of-scope.ts'
import { openStatement, Scope } from './scope.ts'

const malformed = (message: string) => new ApiError('MALFORMED_QUERY', message)

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

/** Clauses that only some objects have, and clauses that change nothing here. (docs/reference/api/queries.md#order-limit-and-offset) */
function checkClauses(query: Query, scope: Scope): void {
  const clause = query.with
  if (clause !== undefined && clause.kind !== 'withMode') {
    throw refusal(
      'MALFORMED_QUERY',
      scope.text,
      clause.at,
      `WITH is not supported on ${scope.root.object.name}`,
    )
  }
  if (query.updateClauses.length > 0) {
    throw malformed(`UPDATE TRACKING and VIEWSTAT are not supported on ${scope.root.object.name}`)
  }
  if (query.forClauses.some((entry) => entry.purpose === 'UPDATE') && query.orderBy.length > 0) {
    throw malformed('FOR UPDATE is not allowed with ORDER BY')
  }
}

/** USING SCOPE as a condition; `everything` is none. (docs/reference/api/queries.md#scopes) */
function scopeFilter({ scope: using, items }: Query, scope: Scope): Filter | undefined {
  if (using === undefined) return undefined
  if (items.some((item) => item.kind === 'childQuery')) {
    throw malformed('USING SCOPE may not restrict a query with child queries')
  }
  const supported = supportedScopes(scope.root.object)
  const name = using.name.text.toLowerCase()
  const known = supported.find((one) => one.name === name)
  if (known === undefined) {
    throw refusal(
      'INVALID_QUERY_SCOPE',
      scope.text,
      using.name.at,
      `The scope ${using.name.text} is not supported on ${scope.root.object.name}`,
    )
  }
  return recordsOfScope(known.name, scope)
}

function scopeOf(query: Query, schema: SchemaSnapshot, version: ApiVersion): Scope {
  const { object: name, alias } = query.from
  const object = schema.object(name.text)
  if (object === undefined) {
    throw refusal('INVALID_TYPE', query.text, name.at, explanations.noSuchObject(name.text))
  }
  const scope = new Scope(openStatement(query.text, schema, version), object, [alias])
  for (const { path, alias: pathAlias } of query.fromPaths) scope.addAlias(path, pathAlias)
  return scope
}

function withScope(plan: Plan, filter: Filter | undefined): Plan {
  return filter === undefined ? plan : { ...plan, filter: both(plan.filter, filter) }
}

function analyzeCount(query: Query, scope: Scope): Plan {
  if (query.orderBy.length > 0) throw malformed('COUNT() takes no ORDER BY')
  if (query.grouping !== undefined) throw malformed('COUNT() takes no GROUP BY')
  const filter = query.where && analyzeFilter(query.where, whereOf(scope, 'where'))
  const { limit, offset } = query
  return { kind: 'count', sources: scope.sources, filter, limit: limit?.value, offset: offset?.value }
}

function analyzeRecords(query: Query, scope: Scope): Plan {
  const { limit, offset } = query
  const selection = analyzeSelection(
    query.items,
    scope,
    { bounded: fieldsBounded(query) },
    childrenAnalysis(2, limit?.value === 1),
  )
  const filter = query.where && analyzeFilter(query.where, whereOf(scope, 'where'))
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
 * From what was said to what is meant: the only place that refuses a query that parses. Pure.
 * @param schema what whoever asks may read: what it lacks does not exist
 * @throws ApiError (docs/reference/api/queries.md#codes)
 */
export function analyzeQuery(query: Query, schema: SchemaSnapshot, version: ApiVersion): Plan {
  const scope = scopeOf(query, schema, version)
  const mine = scopeFilter(query, scope)
  const plan = isCount(query)
    ? analyzeCount(query, scope)
    : isAggregate(query)
      ? analyzeAggregate(query, scope)
      : analyzeRecords(query, scope)
  checkClauses(query, scope)
  checkOffset(query)
  return withScope(plan, mine)
}
