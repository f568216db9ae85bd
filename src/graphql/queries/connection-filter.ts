import type { FilterLocation } from '../../soql/analyze/filter-location.ts'
import { combineFilters } from '../../soql/analyze/make-filter.ts'
import { makeScopeFilter } from '../../soql/analyze/scope-filter.ts'
import type { Filter } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { parseScopeName } from '../types/scope-type.ts'
import { makeWhereFilter } from './where.ts'

/** The condition of a connection's `where` and `scope`. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#filters) */
export function makeConnectionFilter(
  { where = {}, scope: whose }: Variables,
  location: FilterLocation,
): Filter | undefined {
  return combineFilters(
    makeWhereFilter(where as Variables, location),
    typeof whose === 'string' ? makeScopeFilter(parseScopeName(whose), location.scope) : undefined,
  )
}
