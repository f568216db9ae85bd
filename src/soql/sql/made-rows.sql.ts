import { quoteIdentifier, type Sql, sql } from '../../base/sql.ts'
import { unrestricted } from '../../schema/objects/object-type.ts'
import { defineFields } from '../../schema/rows/define-fields.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import { findNamedObjects } from '../plan/named-objects.ts'
import type { PlanBase } from '../plan/plan.ts'
import { accessRows } from './access-rows.sql.ts'
import { childRows } from './child-rows.sql.ts'
import { recentRows } from './recent-rows.sql.ts'

/** The rows of `FieldDefinition`: the fields that the user may see of the objects that the query names. */
function fieldRows(org: Org, plan: RowsOf, { visible }: QueryContext): Sql {
  const { keyPrefix, fields } = unrestricted(plan.sources[0].object)
  const objects = findNamedObjects(plan).flatMap((name) => visible.object(name) ?? [])
  const changedAt = visible.changedAt.toISOString()
  const rows = objects
    .flatMap((object) => defineFields(visible, object, keyPrefix))
    .map((row) => ({
      ...row,
      isdeleted: false,
      createddate: changedAt,
      lastmodifieddate: changedAt,
      systemmodstamp: changedAt,
    }))
  const madeBy = ['createdbyid', 'lastmodifiedbyid']
  const columns = fields
    .filter(({ column }) => column !== undefined && !madeBy.includes(column))
    .map(({ column, type, definition }) => `${quoteIdentifier(column!)} ${type.column(definition)}`)
  return sql`select field.*, made.createdbyid, made.createdbyid as lastmodifiedbyid
             from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as field (${sql.raw(columns.join(', '))})
             cross join (select createdbyid from ${sql.id(org.schemaName, 'organization')} limit 1) made`
}

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
