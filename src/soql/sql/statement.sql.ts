import { asCallerInText } from '../../base/caller.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { indexedNullsFirst } from '../../schema/change/ddl.sql.ts'
import type { RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import { findMatchingSources } from '../plan/matching-sources.ts'
import type {
  ChildPlan,
  ChildRowsPlan,
  Filter,
  GroupsPlan,
  Operand,
  Ordering,
  PlanBase,
  RecordPlan,
  RowsPlan,
} from '../plan/plan.ts'
import { compileFilter, compileVisibility } from './filter.sql.ts'
import {
  columnOf,
  compareOperand,
  groupedSortKey,
  selectGrouped,
  selectOperand,
  sortKey,
} from './operand.sql.ts'
import { recordAccess } from './record-access.sql.ts'
import { relevanceKey } from './search.sql.ts'
import { fromSources, joinParents, rootTable } from './sources.sql.ts'

/** Makes one SQL statement from a plan, child queries included. Cannot fail. */

/** The rows to select: their columns, and the child rows in some of these. */
export interface RowsRequest {
  readonly plan: RowsPlan
  readonly format: { readonly columns: readonly Sql[] }
  readonly children: readonly ChildRowsRequest[]
  /** Index of the placeholder among the columns for what the caller may do with a row. */
  readonly access?: number | undefined
}

export interface ChildRowsRequest extends RowsRequest {
  readonly plan: ChildRowsPlan
  /** Index of their placeholder among the columns of the outer format. */
  readonly column: number
  /** Maximum number of child rows per outer row. */
  readonly max: number
  /** The rows as a list, the number of matches, or a pair of number and list. */
  readonly shows: 'rows' | 'total' | 'both'
}

/** A record query, ready to run. */
export interface FormattedPlan extends RowsRequest {
  readonly plan: RecordPlan
  readonly format: RecordFormat
  readonly children: readonly FormattedChildren[]
}

export interface FormattedChildren extends ChildRowsRequest {
  readonly plan: ChildPlan
  readonly format: RecordFormat
  readonly children: readonly FormattedChildren[]
}

/** Maximum children nested in their parent record; more come on pages of their own. */
export const CHILD_PAGE_SIZE = 199

/** True if rows that meet the filter have a value in the field: a comparison with null is false. */
function excludesNull(filter: Filter | undefined, field: Extract<Operand, { kind: 'field' }>): boolean {
  switch (filter?.kind) {
    case 'and':
      return filter.terms.some((term) => excludesNull(term, field))
    case 'compare':
    case 'days':
    case 'in':
    case 'like':
      return (
        filter.operand.kind === 'field' &&
        filter.operand.field === field.field &&
        filter.operand.source === field.source
      )
    default:
      return false
  }
}

/** For columns without nulls, NULLS FIRST or LAST is chosen so that an index can be used, forward or backward. */
export function areNullsFirst(
  { operand, descending, nullsFirst }: Ordering,
  filter: Filter | undefined,
): boolean {
  if (operand.kind !== 'field') return nullsFirst
  const { field, source } = operand
  const isNeverNull = !field.nillable && field.formula === undefined && source.via === undefined
  if (!isNeverNull && !excludesNull(filter, operand)) return nullsFirst
  return indexedNullsFirst(operand.field) ? !descending : descending
}

function compileOrdering({ descending }: Ordering, key: Sql, first: boolean): Sql {
  return sql`${key} ${descending ? sql`desc` : sql`asc`} nulls ${first ? sql`first` : sql`last`}`
}

/** Ties are broken by id, so that the order is deterministic. */
function orderBy(plan: RowsPlan, queryContext: QueryContext): Sql {
  const keys = plan.orderings.map((ordering) =>
    compileOrdering(ordering, sortKey(ordering.operand, queryContext), areNullsFirst(ordering, plan.filter)),
  )
  if (keys.length === 0 && plan.relevance !== undefined) keys.push(relevanceKey(plan, plan.relevance))
  return sql` order by ${sql.join([...keys, rootId(plan)])}`
}

const rootId = (plan: PlanBase) => sql.id(plan.sources[0].alias, 'id')

function where(org: Org, plan: PlanBase, queryContext: QueryContext, more: readonly Sql[] = []): Sql {
  const conditions = [...compileVisibility(plan.sources[0], queryContext, more.length === 0), ...more]
  if (plan.filter !== undefined) conditions.push(compileFilter(org, plan.filter, queryContext))
  return sql` where ${sql.join(conditions, ' and ')}`
}

/** Part of the text, not a parameter, so that PostgreSQL knows the limit when it plans a prepared statement. */
const compileLimit = (limit: number | undefined) =>
  sql.raw(limit === undefined ? '' : ` limit ${BigInt(limit)}`)

/** LIMIT and OFFSET of a plan. */
const compileLimitAndOffset = ({ limit, offset }: Pick<PlanBase, 'limit' | 'offset'>): Sql =>
  offset === undefined ? compileLimit(limit) : sql`${compileLimit(limit)} offset ${offset}::integer`

/** Below PostgreSQL's limit of a hundred arguments per function call. */
const MAX_ARGUMENTS = 90

/** A row as JSON array; nested arrays when it has more columns than a function takes arguments. */
function rowAsJson(columns: readonly Sql[]): Sql {
  if (columns.length <= MAX_ARGUMENTS) return sql`json_build_array(${sql.join(columns)})`
  const pieces: Sql[] = []
  for (let start = 0; start < columns.length; start += MAX_ARGUMENTS) {
    pieces.push(rowAsJson(columns.slice(start, start + MAX_ARGUMENTS)))
  }
  return sql`json_build_array(${sql.join(pieces)})`
}

/** True if rows of a format come as nested arrays. */
export const isSplitRow = ({ columns }: RowsRequest['format']) => columns.length > MAX_ARGUMENTS

/** The tables that decide which records match, and in which order. */
const fromMatching = (org: Org, plan: PlanBase, queryContext: QueryContext) =>
  fromSources(org, { ...plan, sources: findMatchingSources(plan) }, queryContext)

/**
 * The clauses after the select list for the first rows of a result. Parents that neither filter nor order are joined to
 * these rows, not to each that matches.
 */
function fromPage(
  org: Org,
  plan: RowsPlan,
  queryContext: QueryContext,
  { limit, more = [] }: { readonly limit: number; readonly more?: readonly Sql[] },
): Sql {
  const order = orderBy(plan, queryContext)
  const matching = findMatchingSources(plan)
  const rows = sql`${fromSources(org, { ...plan, sources: matching }, queryContext)}${where(org, plan, queryContext, more)}${order}${compileLimitAndOffset({ limit, offset: plan.offset })}`
  if (matching.length === plan.sources.length) return rows
  const root = sql.id(plan.sources[0].alias)
  return sql` from (select ${root}.*${rows}) ${root}${joinParents(org, plan.sources, queryContext)}${order}`
}

/** The matching rows, in order, as one JSON value. */
function rowsAsValue(
  org: Org,
  requested: RowsRequest,
  queryContext: QueryContext,
  max: number,
  more: readonly Sql[],
): Sql {
  const { plan } = requested
  const limit = Math.min(plan.limit ?? Number.POSITIVE_INFINITY, max)
  const row = rowAsJson(selectList(org, requested, queryContext))
  return sql`array_to_json(array(select ${row}${fromPage(org, plan, queryContext, { limit, more })}))`
}

/** The number of matches, without limit and offset. */
function totalAsValue(org: Org, plan: PlanBase, queryContext: QueryContext, more: readonly Sql[]): Sql {
  return sql`(select count(*)${fromMatching(org, plan, queryContext)}${where(org, plan, queryContext, more)})`
}

/**
 * The children of each outer record as one value: the first page, plus one row if there are more. The subquery
 * is in the select list, where PostgreSQL evaluates it only for outer records in the result.
 */
function childRecords(org: Org, child: ChildRowsRequest, queryContext: QueryContext): Sql {
  const { plan, max, shows } = child
  const own = [sql`${columnOf(plan.reference)} = ${sql.id(plan.parent.alias, 'id')}`]
  if (shows === 'total') return totalAsValue(org, plan, queryContext, own)
  const rows = rowsAsValue(org, child, queryContext, max, own)
  return shows === 'rows'
    ? rows
    : sql`json_build_array(${totalAsValue(org, plan, queryContext, own)}, ${rows})`
}

/** The columns of a format, with what stands in the places of child records and access. */
function selectList(
  org: Org,
  { plan, format, children, access }: RowsRequest,
  queryContext: QueryContext,
): readonly Sql[] {
  if (children.length === 0 && access === undefined) return format.columns
  const columns = [...format.columns]
  if (access !== undefined) {
    const [{ object, alias }] = plan.sources
    columns[access] = recordAccess(queryContext.namedUser, object, alias)
  }
  for (const child of children) columns[child.column] = childRecords(org, child, queryContext)
  return columns
}

const selectRecords = (org: Org, shaped: RowsRequest, queryContext: QueryContext) =>
  sql`select ${sql.join(selectList(org, shaped, queryContext))}`

const nothing = sql.raw('')
const GROUPINGS = { plain: nothing, rollup: sql.raw('rollup '), cube: sql.raw('cube ') }

const groupKeys = ({ groupBy }: GroupsPlan, queryContext: QueryContext): Sql[] =>
  groupBy.map((operand) => compareOperand(operand, queryContext))

/** The clauses from FROM to HAVING. */
function compileGroups(org: Org, plan: GroupsPlan, queryContext: QueryContext): Sql {
  const keys = groupKeys(plan, queryContext)
  const list = plan.grouping === 'plain' ? sql.join(keys) : sql`(${sql.join(keys)})`
  const groupBy = keys.length === 0 ? nothing : sql` group by ${GROUPINGS[plan.grouping]}${list}`
  const having =
    plan.having === undefined ? nothing : sql` having ${compileFilter(org, plan.having, queryContext)}`
  return sql`${fromSources(org, plan, queryContext)}${where(org, plan, queryContext)}${groupBy}${having}`
}

/** The select list of groups. */
const groupColumns = ({ items }: GroupsPlan, queryContext: QueryContext): Sql[] =>
  items.map(({ operand }) =>
    operand.kind === 'field' ? selectGrouped(operand, queryContext) : selectOperand(operand, queryContext),
  )

const groupOrder = ({ orderings }: GroupsPlan, queryContext: QueryContext): Sql[] =>
  orderings.map((ordering) =>
    compileOrdering(ordering, groupedSortKey(ordering.operand, queryContext), ordering.nullsFirst),
  )

/** Ties are broken by the keys and by the subtotal level, so that pages are consistent. */
function groupTies(plan: GroupsPlan, queryContext: QueryContext): Sql[] {
  const keys = groupKeys(plan, queryContext)
  const ties = keys.map((key) => sql`${key} nulls first`)
  return plan.grouping === 'plain' || keys.length === 0 ? ties : [...ties, sql`grouping(${sql.join(keys)})`]
}

/** Contains spaces, so it differs from every column of a table. */
const GROUP_POSITION = sql.id('group position')

const sortedBy = (keys: readonly Sql[]) => (keys.length === 0 ? nothing : sql` order by ${sql.join(keys)}`)

/** A template tag for aggregate statements. The user is a literal, because expressions in SELECT and GROUP BY must be equal. */
const makeGroupStatement =
  ({ schemaName }: Org, queryContext: QueryContext) =>
  (strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql =>
    asCallerInText(sql(strings, ...parts), schemaName, () => queryContext.userId)

export const querySql = {
  /** The first records of a result. */
  first(org: Org, shaped: RowsRequest, queryContext: QueryContext, max: number): Sql {
    return sql`${selectRecords(org, shaped, queryContext)}${fromPage(org, shaped.plan, queryContext, { limit: max })}`
  },

  /** All records of a result, in no order where none is asked for. */
  all(org: Org, shaped: RowsRequest, queryContext: QueryContext): Sql {
    const { plan } = shaped
    const isOrdered = plan.orderings.length > 0 || plan.limit !== undefined
    const order = isOrdered ? orderBy(plan, queryContext) : nothing
    return sql`${selectRecords(org, shaped, queryContext)}${fromSources(org, plan, queryContext)}${where(org, plan, queryContext)}${order}${compileLimitAndOffset(plan)}`
  },

  /** The total number of matches, and the first rows as one value. */
  firstWithTotal(org: Org, requested: RowsRequest, queryContext: QueryContext, max: number): Sql {
    return sql`select ${totalAsValue(org, requested.plan, queryContext, [])}, ${rowsAsValue(org, requested, queryContext, max, [])}`
  },

  /** How many records match between offset and limit. */
  count(org: Org, plan: PlanBase, queryContext: QueryContext): Sql {
    const matches = sql`${fromMatching(org, plan, queryContext)}${where(org, plan, queryContext)}`
    if (plan.limit === undefined && plan.offset === undefined) return sql`select count(*) as total${matches}`
    return sql`select count(*) as total from (select 1${matches}${compileLimitAndOffset(plan)}) matched`
  },

  /** The number of records of a query without conditions, and their last id. */
  extent(org: Org, plan: RecordPlan, queryContext: QueryContext): Sql {
    const [root] = plan.sources
    const rows = sql`${fromSources(org, { sources: [root] }, queryContext)}${where(org, plan, queryContext)}`
    // Two subqueries: each can be answered from an index alone.
    return sql`select (select count(*)${rows})::integer as total, (select max(${rootId(plan)})${rows}) as last_id`
  },

  /** Ids of all matches, in order, to store as pages. */
  matches(org: Org, plan: RecordPlan, queryContext: QueryContext, more: readonly Sql[] = []): Sql {
    return sql`select ${rootId(plan)}${fromMatching(org, plan, queryContext)}${where(org, plan, queryContext, more)}${orderBy(plan, queryContext)}${compileLimitAndOffset(plan)}`
  },

  /** Ids of all matching children of one record, in order. */
  childMatches(org: Org, plan: ChildPlan, queryContext: QueryContext, parentId: string): Sql {
    return querySql.matches(org, plan, queryContext, [sql`${columnOf(plan.reference)} = ${parentId}`])
  },

  /** A keyset page: records that are not deleted, with ids after `after` up to `upTo`, in the order of ids. */
  after(
    org: Org,
    shaped: FormattedPlan,
    queryContext: QueryContext,
    after: string,
    upTo: string,
    limit?: number,
  ): Sql {
    const { sources } = shaped.plan
    const root = rootId(shaped.plan)
    const range = sql`${root} > ${after} and ${root} <= ${upTo} and ${sql.join(compileVisibility(sources[0], queryContext, true), ' and ')}`
    return sql`${selectRecords(org, shaped, queryContext)}${fromSources(org, shaped.plan, queryContext)} where ${range} order by ${root}${compileLimitAndOffset({ limit })}`
  },

  /** The records of a stored list of ids that still exist, in the list's order. */
  listed(org: Org, shaped: FormattedPlan, queryContext: QueryContext, ids: Sql): Sql {
    const { sources } = shaped.plan
    return sql`${selectRecords(org, shaped, queryContext)} from (${ids}) page cross join unnest(page.ids) with ordinality as listed (id, position)
      join ${rootTable(org, shaped.plan, queryContext)} on ${rootId(shaped.plan)} = listed.id${joinParents(org, sources, queryContext)}
      where ${sql.join(compileVisibility(sources[0], queryContext, false), ' and ')} order by listed.position`
  },

  /** Aggregate rows. */
  aggregate(org: Org, plan: GroupsPlan, queryContext: QueryContext, max: number): Sql {
    const order = sortedBy(groupOrder(plan, queryContext))
    const page = compileLimitAndOffset({ limit: Math.min(plan.limit ?? max, max), offset: plan.offset })
    return makeGroupStatement(
      org,
      queryContext,
    )`select ${sql.join(groupColumns(plan, queryContext))}${compileGroups(org, plan, queryContext)}${order}${page}`
  },

  /** Aggregate rows in a deterministic order. */
  firstGroups(org: Org, plan: GroupsPlan, queryContext: QueryContext, max: number): Sql {
    const order = sortedBy([...groupOrder(plan, queryContext), ...groupTies(plan, queryContext)])
    const page = compileLimitAndOffset({ limit: max, offset: plan.offset })
    return makeGroupStatement(
      org,
      queryContext,
    )`select ${sql.join(groupColumns(plan, queryContext))}${compileGroups(org, plan, queryContext)}${order}${page}`
  },

  /**
   * Aggregate rows with two more columns: the position of the group among all groups, from 1, and their number. An empty
   * page has one row, without a position.
   */
  firstGroupsWithTotal(org: Org, plan: GroupsPlan, queryContext: QueryContext, max: number): Sql {
    const order = sortedBy([...groupOrder(plan, queryContext), ...groupTies(plan, queryContext)])
    const page = compileLimitAndOffset({ limit: max, offset: plan.offset })
    return makeGroupStatement(
      org,
      queryContext,
    )`with grouped as (select ${sql.join(groupColumns(plan, queryContext))}, row_number() over (${order}) as ${GROUP_POSITION}${compileGroups(org, plan, queryContext)})
      select page.*, total.* from (select count(*) from grouped) total
      left join (select * from grouped order by ${GROUP_POSITION}${page}) page on true order by ${GROUP_POSITION}`
  },

  /** How many groups there are in all. */
  countGroups(org: Org, plan: GroupsPlan, queryContext: QueryContext): Sql {
    return makeGroupStatement(
      org,
      queryContext,
    )`select count(*) as total from (select count(*)${compileGroups(org, plan, queryContext)}) grouped`
  },
}
