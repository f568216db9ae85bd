import { ApiError } from '../base/api-error.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import { analyzeFilter } from './analyze-filter.ts'
import { analyzeSelection } from './analyze-selection.ts'
import type { NumberLiteral } from './literal.ts'
import type { Ordering, Plan } from './plan.ts'
import { refusal } from './refusal.ts'
import { Scope } from './scope.ts'
import type { OrderItem, Query } from './tree.ts'

const MOST_OFFSET = 2000

function analyzeOrdering({ by, direction, nulls }: OrderItem, scope: Scope): Ordering {
  if (by.kind !== 'path')
    throw refusal('MALFORMED_QUERY', scope.text, by.at, 'Functions are not supported yet')
  const operand = scope.resolve(by)
  if (!operand.field.type.sortable) {
    throw refusal(
      'INVALID_FIELD',
      scope.text,
      by.at,
      `field '${operand.field.name}' can not be sorted in a query call`,
    )
  }
  return { operand, descending: direction === 'DESC', nullsFirst: nulls !== 'LAST' }
}

function analyzeOffset(offset: NumberLiteral | undefined): number | undefined {
  if (offset !== undefined && offset.value > MOST_OFFSET) {
    throw new ApiError('NUMBER_OUTSIDE_VALID_RANGE', `Maximum SOQL offset allowed is ${MOST_OFFSET}`)
  }
  return offset?.value
}

const isCount = (query: Query) =>
  query.items.some((item) => item.kind === 'function' && isBareCount(item.call))
const isBareCount = (call: { readonly function: string; readonly args: readonly unknown[] }) =>
  call.function === 'COUNT' && call.args.length === 0

/** What the language has and this version has not. */
function checkSupported(query: Query): void {
  const missing = [
    query.scope && 'USING SCOPE',
    query.with && 'WITH',
    query.grouping && 'GROUP BY',
    query.forClauses.length > 0 && 'FOR',
    query.updateClauses.length > 0 && 'UPDATE',
  ].find((clause) => typeof clause === 'string')
  if (missing !== undefined) throw new ApiError('MALFORMED_QUERY', `${missing} is not supported yet`)
}

/**
 * From what was said to what is meant: the only place that refuses a query that parses. Pure.
 * @throws ApiError (contract/soql 10.2)
 */
export function analyzeQuery(query: Query, schema: SchemaSnapshot): Plan {
  checkSupported(query)
  const scope = new Scope(query, schema)
  const limit = query.limit?.value
  if (isCount(query)) {
    if (query.items.length > 1) throw new ApiError('MALFORMED_QUERY', 'COUNT() must be selected alone')
    if (query.orderBy.length > 0) throw new ApiError('MALFORMED_QUERY', 'COUNT() takes no ORDER BY')
    const filter = query.where && analyzeFilter(query.where, scope)
    return { kind: 'count', sources: scope.sources, filter, limit, offset: analyzeOffset(query.offset) }
  }
  const selection = analyzeSelection(query, scope)
  const filter = query.where && analyzeFilter(query.where, scope)
  const orderings = query.orderBy.map((item) => analyzeOrdering(item, scope))
  const offset = analyzeOffset(query.offset)
  return { kind: 'records', sources: scope.sources, selection, filter, orderings, limit, offset }
}
