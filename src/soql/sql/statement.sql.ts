import { asCallerInText } from '../../base/caller.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { indexedNullsFirst } from '../../schema/change/ddl.sql.ts'
import type { RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type {
  ChildPlan,
  ChildRowsPlan,
  GroupsPlan,
  Ordering,
  PlanBase,
  RecordPlan,
  RowsPlan,
} from '../plan/plan.ts'
import { compileFilter, present } from './filter.sql.ts'
import {
  columnOf,
  compareOperand,
  groupedSortKey,
  selectGrouped,
  selectOperand,
  sortKey,
} from './operand.sql.ts'
import { relevanceKey } from './search.sql.ts'
import { fromSources, joinParents, rootTable } from './sources.sql.ts'

/** From what was decided to what is sent: cannot fail. One statement, whatever is nested in the query. */

/** How rows are asked for: the columns of each, and the child rows in some of them. */
export interface RequestedRows {
  readonly plan: RowsPlan
  readonly shape: { readonly columns: readonly Sql[] }
  readonly children: readonly RequestedChildren[]
}

export interface RequestedChildren extends RequestedRows {
  readonly plan: ChildRowsPlan
  /** Their place among the columns of the outer shape, which holds nothing there yet. */
  readonly column: number
  /** How many of them at most. */
  readonly max: number
  /** Rows as a list, how many match, or a list of both: the number and the list. */
  readonly shows: 'rows' | 'total' | 'both'
}

/** A record query that is ready to be sent. */
export interface ShapedPlan extends RequestedRows {
  readonly plan: RecordPlan
  readonly shape: RecordFormat
  readonly children: readonly ShapedChildren[]
}

export interface ShapedChildren extends RequestedChildren {
  readonly plan: ChildPlan
  readonly shape: RecordFormat
  readonly children: readonly ShapedChildren[]
}

/** More children of one record than this come on pages of their own. */
export const CHILD_PAGE = 500

/** Where there are no nulls their place is free; this one is an index read in its order, or backwards. */
function nullsLocation({ operand, descending, nullsFirst }: Ordering): boolean {
  const nowhere = operand.kind === 'field' && !operand.field.nillable && operand.source.via === undefined
  if (!nowhere) return nullsFirst
  return indexedNullsFirst(operand.field) ? !descending : descending
}

function direct({ descending }: Ordering, key: Sql, first: boolean): Sql {
  return sql`${key} ${descending ? sql`desc` : sql`asc`} nulls ${first ? sql`first` : sql`last`}`
}

/** Ties are broken by id, so that an order is always the same. */
function orderBy(plan: RowsPlan, queryContext: QueryContext): Sql {
  const keys = plan.orderings.map((ordering) =>
    direct(ordering, sortKey(ordering.operand, queryContext), nullsLocation(ordering)),
  )
  if (keys.length === 0 && plan.relevance !== undefined) keys.push(relevanceKey(plan, plan.relevance))
  return sql` order by ${sql.join([...keys, rootId(plan)])}`
}

const rootId = (plan: PlanBase) => sql.id(plan.sources[0].alias, 'id')

function where(org: Org, plan: PlanBase, queryContext: QueryContext, more: readonly Sql[] = []): Sql {
  const conditions = [...present(plan.sources[0], queryContext, more.length === 0), ...more]
  if (plan.filter !== undefined) conditions.push(compileFilter(org, plan.filter, queryContext))
  return sql` where ${sql.join(conditions, ' and ')}`
}

/** Stands in the text, so that PostgreSQL knows that few rows are wanted even of a statement that it prepared. */
const limited = (limit: number | undefined) => sql.raw(limit === undefined ? '' : ` limit ${BigInt(limit)}`)

/** LIMIT and OFFSET as they were said. */
const between = ({ limit, offset }: Pick<PlanBase, 'limit' | 'offset'>): Sql =>
  offset === undefined ? limited(limit) : sql`${limited(limit)} offset ${offset}::integer`

/** PostgreSQL takes a hundred arguments in one call. */
const MAX_ARGUMENTS = 90

/** A row as JSON; no function takes as many arguments as a record may have fields, so a long one comes in pieces. */
function rowAsJson(columns: readonly Sql[]): Sql {
  if (columns.length <= MAX_ARGUMENTS) return sql`json_build_array(${sql.join(columns)})`
  const pieces: Sql[] = []
  for (let start = 0; start < columns.length; start += MAX_ARGUMENTS) {
    pieces.push(rowAsJson(columns.slice(start, start + MAX_ARGUMENTS)))
  }
  return sql`json_build_array(${sql.join(pieces)})`
}

/** Whether the rows of a shape come in pieces. */
export const comesInPieces = ({ columns }: RequestedRows['shape']) => columns.length > MAX_ARGUMENTS

/** Matches in their order as one value. */
function rowsAsValue(
  org: Org,
  requested: RequestedRows,
  queryContext: QueryContext,
  max: number,
  more: readonly Sql[],
): Sql {
  const { plan } = requested
  const limit = Math.min(plan.limit ?? Number.POSITIVE_INFINITY, max)
  const row = rowAsJson(selectList(org, requested, queryContext))
  return sql`array_to_json(array(select ${row}${fromSources(org, plan.sources, queryContext)}${where(org, plan, queryContext, more)}${orderBy(plan, queryContext)}${between({ limit, offset: plan.offset })}))`
}

/** How many match, whatever the page. */
function totalAsValue(org: Org, plan: PlanBase, queryContext: QueryContext, more: readonly Sql[]): Sql {
  return sql`(select count(*)${fromSources(org, plan.sources, queryContext)}${where(org, plan, queryContext, more)})`
}

/**
 * Children of each outer record as one value: the first page of them in order, and one more when that is not all. It
 * stands in the select list, where PostgreSQL asks for it only when the outer record has its place in the result.
 */
function childRecords(org: Org, child: RequestedChildren, queryContext: QueryContext): Sql {
  const { plan, max, shows } = child
  const own = [sql`${columnOf(plan.reference)} = ${sql.id(plan.parent.alias, 'id')}`]
  if (shows === 'total') return totalAsValue(org, plan, queryContext, own)
  const rows = rowsAsValue(org, child, queryContext, max, own)
  return shows === 'rows'
    ? rows
    : sql`json_build_array(${totalAsValue(org, plan, queryContext, own)}, ${rows})`
}

/** The columns of a shape, with the child records in their places. */
function selectList(
  org: Org,
  { shape, children }: Pick<RequestedRows, 'shape' | 'children'>,
  queryContext: QueryContext,
): readonly Sql[] {
  if (children.length === 0) return shape.columns
  const columns = [...shape.columns]
  for (const child of children) columns[child.column] = childRecords(org, child, queryContext)
  return columns
}

const selectRecords = (org: Org, shaped: RequestedRows, queryContext: QueryContext) =>
  sql`select ${sql.join(selectList(org, shaped, queryContext))}`

const nothing = sql.raw('')
const GROUPINGS = { plain: nothing, rollup: sql.raw('rollup '), cube: sql.raw('cube ') }

const groupKeys = ({ groupBy }: GroupsPlan, queryContext: QueryContext): Sql[] =>
  groupBy.map((operand) => compareOperand(operand, queryContext))

/** What is grouped and how: all from FROM to HAVING. */
function groups(org: Org, plan: GroupsPlan, queryContext: QueryContext): Sql {
  const keys = groupKeys(plan, queryContext)
  const list = plan.grouping === 'plain' ? sql.join(keys) : sql`(${sql.join(keys)})`
  const groupBy = keys.length === 0 ? nothing : sql` group by ${GROUPINGS[plan.grouping]}${list}`
  const having =
    plan.having === undefined ? nothing : sql` having ${compileFilter(org, plan.having, queryContext)}`
  return sql`${fromSources(org, plan.sources, queryContext)}${where(org, plan, queryContext)}${groupBy}${having}`
}

/** What is shown of a group. */
const groupColumns = ({ items }: GroupsPlan, queryContext: QueryContext): Sql[] =>
  items.map(({ operand }) =>
    operand.kind === 'field' ? selectGrouped(operand, queryContext) : selectOperand(operand, queryContext),
  )

const groupOrder = ({ orderings }: GroupsPlan, queryContext: QueryContext): Sql[] =>
  orderings.map((ordering) =>
    direct(ordering, groupedSortKey(ordering.operand, queryContext), ordering.nullsFirst),
  )

/** Ties are broken by the keys, and by which of them a group sums up over: so that pages follow one another. */
function groupTies(plan: GroupsPlan, queryContext: QueryContext): Sql[] {
  const keys = groupKeys(plan, queryContext)
  const ties = keys.map((key) => sql`${key} nulls first`)
  return plan.grouping === 'plain' || keys.length === 0 ? ties : [...ties, sql`grouping(${sql.join(keys)})`]
}

/** No column of a table is called so. */
const LOCATION = sql.id('place of the group')

const sortedBy = (keys: readonly Sql[]) => (keys.length === 0 ? nothing : sql` order by ${sql.join(keys)}`)

/** A statement with groups, in which an expression stands where it is shown and where it is grouped by. */
const grouped =
  ({ schemaName }: Org, queryContext: QueryContext) =>
  (strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql =>
    asCallerInText(sql(strings, ...parts), schemaName, () => queryContext.userId)

export const querySql = {
  /** The first records of a result. */
  first(org: Org, shaped: RequestedRows, queryContext: QueryContext, max: number): Sql {
    const { plan } = shaped
    const page = between({ limit: max, offset: plan.offset })
    return sql`${selectRecords(org, shaped, queryContext)}${fromSources(org, plan.sources, queryContext)}${where(org, plan, queryContext)}${orderBy(plan, queryContext)}${page}`
  },

  /** How many match in all, and the first of them as one value. */
  firstWithTotal(org: Org, requested: RequestedRows, queryContext: QueryContext, max: number): Sql {
    return sql`select ${totalAsValue(org, requested.plan, queryContext, [])}, ${rowsAsValue(org, requested, queryContext, max, [])}`
  },

  /** How many records match between offset and limit. */
  count(org: Org, plan: PlanBase, queryContext: QueryContext): Sql {
    const matches = sql`${fromSources(org, plan.sources, queryContext)}${where(org, plan, queryContext)}`
    if (plan.limit === undefined && plan.offset === undefined) return sql`select count(*) as total${matches}`
    return sql`select count(*) as total from (select 1${matches}${between(plan)}) matched`
  },

  /** How many records of a query without conditions there are, and the last id among them. */
  extent(org: Org, plan: RecordPlan, queryContext: QueryContext): Sql {
    const [root] = plan.sources
    return sql`select count(*) as total, max(${rootId(plan)}) as "lastId"${fromSources(org, [root], queryContext)}${where(org, plan, queryContext)}`
  },

  /** Ids of all matches in their order: what a list of pages is made from. */
  matches(org: Org, plan: RecordPlan, queryContext: QueryContext, more: readonly Sql[] = []): Sql {
    return sql`select ${rootId(plan)}${fromSources(org, plan.sources, queryContext)}${where(org, plan, queryContext, more)}${orderBy(plan, queryContext)}${between(plan)}`
  },

  /** The same of the children of one record. */
  childMatches(org: Org, plan: ChildPlan, queryContext: QueryContext, parentId: string): Sql {
    return querySql.matches(org, plan, queryContext, [sql`${columnOf(plan.reference)} = ${parentId}`])
  },

  /** Live records after an id up to another, in the order of ids: the pages of a query without conditions. */
  after(
    org: Org,
    shaped: ShapedPlan,
    queryContext: QueryContext,
    after: string,
    upTo: string,
    limit?: number,
  ): Sql {
    const { sources } = shaped.plan
    const root = rootId(shaped.plan)
    const range = sql`${root} > ${after} and ${root} <= ${upTo} and ${sql.join(present(sources[0], queryContext, true), ' and ')}`
    return sql`${selectRecords(org, shaped, queryContext)}${fromSources(org, sources, queryContext)} where ${range} order by ${root}${between({ limit })}`
  },

  /** The records of a remembered list of ids that still live, in the list's order. */
  listed(org: Org, shaped: ShapedPlan, queryContext: QueryContext, ids: Sql): Sql {
    const { sources } = shaped.plan
    return sql`${selectRecords(org, shaped, queryContext)} from (${ids}) page cross join unnest(page.ids) with ordinality as listed (id, position)
      join ${rootTable(org, sources)} on ${rootId(shaped.plan)} = listed.id${joinParents(org, sources, queryContext)}
      where ${sql.join(present(sources[0], queryContext, false), ' and ')} order by listed.position`
  },

  /** Rows that sum up records. */
  aggregate(org: Org, plan: GroupsPlan, queryContext: QueryContext, max: number): Sql {
    const order = sortedBy(groupOrder(plan, queryContext))
    const page = between({ limit: Math.min(plan.limit ?? max, max), offset: plan.offset })
    return grouped(
      org,
      queryContext,
    )`select ${sql.join(groupColumns(plan, queryContext))}${groups(org, plan, queryContext)}${order}${page}`
  },

  /** The same in an order that leaves nothing open. */
  firstGroups(org: Org, plan: GroupsPlan, queryContext: QueryContext, max: number): Sql {
    const order = sortedBy([...groupOrder(plan, queryContext), ...groupTies(plan, queryContext)])
    const page = between({ limit: max, offset: plan.offset })
    return grouped(
      org,
      queryContext,
    )`select ${sql.join(groupColumns(plan, queryContext))}${groups(org, plan, queryContext)}${order}${page}`
  },

  /**
   * The same with two more columns: the place of the group among all of them, from 1 on, and how many there are. Where
   * the page is empty there is one row, without a place.
   */
  firstGroupsWithTotal(org: Org, plan: GroupsPlan, queryContext: QueryContext, max: number): Sql {
    const order = sortedBy([...groupOrder(plan, queryContext), ...groupTies(plan, queryContext)])
    const page = between({ limit: max, offset: plan.offset })
    return grouped(
      org,
      queryContext,
    )`with grouped as (select ${sql.join(groupColumns(plan, queryContext))}, row_number() over (${order}) as ${LOCATION}${groups(org, plan, queryContext)})
      select page.*, total.* from (select count(*) from grouped) total
      left join (select * from grouped order by ${LOCATION}${page}) page on true order by ${LOCATION}`
  },

  /** How many groups there are in all. */
  countGroups(org: Org, plan: GroupsPlan, queryContext: QueryContext): Sql {
    return grouped(
      org,
      queryContext,
    )`select count(*) as total from (select count(*)${groups(org, plan, queryContext)}) grouped`
  },
}
