import type { FilterLocation } from '../../soql/analyze/filter-location.ts'
import { combineFilters } from '../../soql/analyze/make-filter.ts'
import { makeScopeFilter } from '../../soql/analyze/scope-filter.ts'
import type { Filter } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { scopeNamed } from '../types/scope-type.ts'
import { whereFilter } from './where.ts'

/** What `where` and `scope` of a connection ask for, as a condition. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#filters) */
export function wantedRecords(
  { where = {}, scope: whose }: Variables,
  location: FilterLocation,
): Filter | undefined {
  return combineFilters(
    whereFilter(where as Variables, location),
    typeof whose === 'string' ? makeScopeFilter(scopeNamed(whose), location.scope) : undefined,
  )
}
