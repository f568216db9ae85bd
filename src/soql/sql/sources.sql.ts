import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import { nameColumn } from '../../schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type { Source } from '../plan/plan.ts'
import { makeRows, type RowsOf } from './made-rows.sql.ts'
import { columnOf } from './operand.sql.ts'

/** FROM lists: the queried table, and the parents as outer joins, to keep records without the parent. */

const nothing = sql.raw('')

/** A parent that the user may not see counts as missing. */
function onlyVisible(object: ObjectType, alias: string, queryContext: QueryContext): Sql {
  const rule = queryContext.visibleRows(object, alias)
  return rule === undefined ? nothing : sql` and ${rule}`
}

/** One of the objects behind a polymorphic reference, as a Name. */
function nameBranch(
  org: Org,
  target: ObjectType,
  fields: readonly Field[],
  reference: Sql,
  queryContext: QueryContext,
): Sql {
  const columns = fields.map((field) => {
    const value = field.name === 'Type' ? sql.raw(quoteText(target.name)) : nameColumn(target, field)
    return sql`${value} as ${sql.id(field.column!)}`
  })
  const prefix = sql.raw(quoteText(target.keyPrefix))
  return sql`select ${sql.join(columns)} from ${records(org, target, 'n')} where n.id = ${reference} and left(${reference}, 3) = ${prefix}${onlyVisible(target, 'n', queryContext)}`
}

function join(org: Org, source: Source, queryContext: QueryContext): Sql {
  const { via, targets, object, alias } = source
  const reference = columnOf(via!)
  if (targets === undefined) {
    const key = via!.field.definition.toBy?.toLowerCase() ?? 'id'
    return sql` left join ${records(org, object, alias)} on ${sql.id(alias, key)} = ${reference}${source.isSystem === true ? nothing : onlyVisible(object, alias, queryContext)}`
  }
  const fields = object.fields.filter((field) => field.column !== undefined)
  const branches = targets.map((target) => nameBranch(org, target, fields, reference, queryContext))
  return sql` left join lateral (${sql.join(branches, ' union all ')}) ${sql.id(alias)} on true`
}

type Sources = readonly [Source, ...Source[]]

const joinsOf = oncePer<Sources, Map<string, Sql>>(() => new Map())

const canSeeAllParents = ([, ...parents]: Sources, queryContext: QueryContext) =>
  parents.every(
    ({ object, alias, isSystem, targets = [object] }) =>
      isSystem === true || targets.every((target) => queryContext.visibleRows(target, alias) === undefined),
  )

/** The joins of parents, in the order of the sources. Cached per plan for users who can see all parents. */
export function joinParents(org: Org, sources: Sources, queryContext: QueryContext): Sql {
  if (sources.length === 1) return nothing
  const make = () =>
    sql.join(
      sources.slice(1).map((source) => join(org, source, queryContext)),
      '',
    )
  if (!canSeeAllParents(sources, queryContext)) return make()
  return getOrInsert(joinsOf(sources), org.schemaName, make)
}

/** The table of the queried object, or the rows that stand in its place. */
export function rootTable(org: Org, plan: RowsOf, queryContext: QueryContext): Sql {
  const [root] = plan.sources
  const rows = makeRows(org, plan, queryContext)
  return rows === undefined ? records(org, root.object, root.alias) : sql`(${rows}) ${sql.id(root.alias)}`
}

export function fromSources(org: Org, plan: RowsOf, queryContext: QueryContext): Sql {
  return sql` from ${rootTable(org, plan, queryContext)}${joinParents(org, plan.sources, queryContext)}`
}
