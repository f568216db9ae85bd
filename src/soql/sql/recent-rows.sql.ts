import { only } from '../../access/row-rules.sql.ts'
import { CALLER } from '../../base/caller.sql.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import { keepsRecent } from '../../schema/describe/describe-object.ts'
import type { Field } from '../../schema/fields/field.ts'
import { nameColumn } from '../../schema/objects/name-entity.sql.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type { RowsOf } from './made-rows.sql.ts'

/** When the record was used last; the audit fields of what has none. */
const usedAt = sql`greatest(used.viewed_at, used.referenced_at)`

/** Values that are not those of the record itself, by column. */
const OF_USE: Readonly<Record<string, Sql>> = {
  isdeleted: sql`n.isdeleted`,
  lastvieweddate: sql`used.viewed_at`,
  lastreferenceddate: sql`used.referenced_at`,
  createddate: usedAt,
  createdbyid: sql`used.user_id`,
  lastmodifieddate: usedAt,
  lastmodifiedbyid: sql`used.user_id`,
  systemmodstamp: usedAt,
}

const columnFor = (target: ObjectType, field: Field): Sql => {
  if (field.name === 'Type') return sql.raw(quoteText(target.name))
  return OF_USE[field.column!] ?? nameColumn(target, field)
}

/** The used records of one object that the user may see. */
function usedOf(org: Org, target: ObjectType, fields: readonly Field[], queryContext: QueryContext): Sql {
  const columns = fields.map(
    (field) =>
      sql`(${columnFor(target, field)})::${sql.raw(field.type.column(field.definition)!)} as ${sql.id(field.column!)}`,
  )
  // A pattern, because the index of what was used serves it.
  const ofObject = sql`used.record_id like ${sql.raw(quoteText(`${target.keyPrefix}%`))}`
  return sql`select ${sql.join(columns)} from ${sql.id(org.schemaName, '_recently_used')} used
             join ${records(org, target, 'n')} on n.id = used.record_id
             where used.user_id = ${CALLER.user} and ${ofObject} ${only(queryContext.visibleRows(target, 'n'))}`
}

/** The rows of `RecentlyViewed`: what the user used lately and may still see, object by object. */
export function recentRows(org: Org, { sources: [root] }: RowsOf, queryContext: QueryContext): Sql {
  const { fields } = unrestricted(root.object)
  const targets = queryContext.visible.objects.filter(keepsRecent)
  const stored = fields.filter(({ column }) => column !== undefined)
  if (targets.length === 0) return sql`select * from ${records(org, root.object)}`
  return sql.join(
    targets.map((target) => usedOf(org, target, stored, queryContext)),
    ' union all ',
  )
}
