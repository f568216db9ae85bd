import type { FilterLocation } from '../../soql/analyze/filter-location.ts'
import { both } from '../../soql/analyze/make-filter.ts'
import { recordsOfScope } from '../../soql/analyze/records-of-scope.ts'
import type { Filter } from '../../soql/plan/plan.ts'
import type { Variables } from '../document/variables.ts'
import { scopeNamed } from '../types/scope-type.ts'
import { whereFilter } from './where.ts'

/** What `where` and `scope` of a connection ask for, as a condition. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#filters) */
export function wantedRecords(
  { where = {}, scope: whose }: Variables,
  location: FilterLocation,
): Filter | undefined {
  return both(
    whereFilter(where as Variables, location),
    typeof whose === 'string' ? recordsOfScope(scopeNamed(whose), location.scope) : undefined,
  )
}
