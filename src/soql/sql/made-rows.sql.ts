import type { Sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type { PlanBase } from '../plan/plan.ts'
import { accessRows } from './access-rows.sql.ts'
import { childRows } from './child-rows.sql.ts'
import { fieldRows } from './field-rows.sql.ts'
import { recentRows } from './recent-rows.sql.ts'

/** The part of a plan that decides the rows of its queried object. */
export type RowsOf = Pick<PlanBase, 'sources' | 'filter'>

/** Makes the rows of an object for a plan, with all columns that a table of it would have. */
type MakeRows = (org: Org, plan: RowsOf, queryContext: QueryContext) => Sql

const MAKERS: ReadonlyMap<string, MakeRows> = new Map([
  ['FieldDefinition', fieldRows],
  ['RecentlyViewed', recentRows],
  ['UserRecordAccess', accessRows],
])

/** The rows of an object whose records depend on the caller; undefined for one with a table or a view. */
export function makeRows(org: Org, plan: RowsOf, queryContext: QueryContext): Sql | undefined {
  const { name, definition } = plan.sources[0].object
  const make = definition.view?.childOnly === true ? childRows : MAKERS.get(name)
  return make?.(org, plan, queryContext)
}
