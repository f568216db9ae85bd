import type { FilterPlace } from '../soql/filter-place.ts'
import { both } from '../soql/make-filter.ts'
import type { Filter } from '../soql/plan.ts'
import { recordsOfScope } from '../soql/records-of-scope.ts'
import { scopeNamed } from './types/scope-type.ts'
import type { Variables } from './variables.ts'
import { whereFilter } from './where.ts'

/** What `where` and `scope` of a connection ask for, as a condition. (docs/reference/api/graphql.md#records, docs/reference/api/graphql.md#filters) */
export function wantedRecords(
  { where = {}, scope: whose }: Variables,
  place: FilterPlace,
): Filter | undefined {
  return both(
    whereFilter(where as Variables, place),
    typeof whose === 'string' ? recordsOfScope(scopeNamed(whose), place.scope) : undefined,
  )
}
