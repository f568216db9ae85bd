import type { Sql } from '../base/sql.ts'
import type { Context } from '../context.ts'
import { indexedFields } from '../schema/change/ddl.sql.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { isNamed } from '../storage/orgs/cluster.ts'
import { loadQueryContext } from './analyze/load-query-context.ts'
import type { QueryContext } from './analyze/query-context.ts'
import { type CompiledQuery, compileQuery } from './compile/compile.ts'
import { loadPlan, type PlanNode } from './database-plan.ts'
import type { Filter } from './plan/plan.ts'
import { explainSql } from './sql/explain.sql.ts'
import { querySql } from './sql/statement.sql.ts'

interface PlanNote {
  readonly description: string
  readonly fields: readonly string[]
  readonly tableEnumOrId: string
}

/** How PostgreSQL would run a query. (docs/reference/api/queries.md#plans) */
interface QueryPlan {
  readonly cardinality: number
  readonly fields: readonly string[]
  readonly leadingOperationType: 'Index' | 'TableScan' | 'Other'
  readonly notes: readonly PlanNote[]
  readonly relativeCost: number
  readonly sobjectCardinality: number
  readonly sobjectType: string
}

/** The plan is made for one page of this many rows, as it is when the query runs. */
const PLANNED_PAGE_SIZE = 2000

/** The statement of the first page of a query. */
export function makeStatement(ctx: Context, query: CompiledQuery, queryContext: QueryContext) {
  switch (query.kind) {
    case 'count':
      return querySql.count(ctx.org, query.plan, queryContext)
    case 'aggregate':
      return querySql.aggregate(ctx.org, query.plan, queryContext, PLANNED_PAGE_SIZE)
    case 'records':
      return querySql.first(
        ctx.org,
        query,
        queryContext,
        Math.min(query.plan.limit ?? PLANNED_PAGE_SIZE, PLANNED_PAGE_SIZE),
      )
  }
}

/** Counting stops at this many records. */
const MAX_COUNTED = 100_000

interface Estimate {
  readonly cardinality: number
  readonly sobjectCardinality: number
  readonly relativeCost: number
}

const roundToThousandths = (ratio: number) => Math.round(ratio * 1000) / 1000

/**
 * How many records a query finds, and at what cost. PostgreSQL estimates both from the values of all records. A user
 * who may not see all of them gets exact counts of the visible ones instead, so that estimates reveal nothing.
 */
async function estimateCost(
  ctx: Context,
  object: ObjectType,
  statement: Sql,
  queryContext: QueryContext,
  plan: PlanNode,
  whole: PlanNode,
): Promise<Estimate> {
  if (ctx.access.has('ViewAllData')) {
    return {
      cardinality: Math.round(plan['Plan Rows']),
      sobjectCardinality: Math.round(whole['Plan Rows']),
      relativeCost: roundToThousandths(plan['Total Cost'] / Math.max(whole['Total Cost'], 0.01)),
    }
  }
  const count = async (counted: Sql) => (await ctx.db.query<{ total: number }>(counted))[0]!.total
  const cardinality = await count(explainSql.rows(statement))
  const seen = await count(explainSql.visibleRecords(ctx.org, object, queryContext, MAX_COUNTED))
  return {
    cardinality,
    sobjectCardinality: seen,
    relativeCost: roundToThousandths(cardinality / Math.max(seen, 1)),
  }
}

/** The node that reads the queried object's table; under a bitmap the index is one node further down. */
function findScan(node: PlanNode, alias: string): PlanNode | undefined {
  if (node.Alias === alias && node['Relation Name'] !== undefined) return node
  for (const child of node.Plans ?? []) {
    const found = findScan(child, alias)
    if (found !== undefined) return found
  }
  return undefined
}

const findIndexName = (scan: PlanNode): string | undefined =>
  scan['Index Name'] ?? scan.Plans?.map(findIndexName).find((name) => name !== undefined)

/** Fields of the queried object that a filter compares. */
function getFilteredFields(filter: Filter | undefined, alias: string): string[] {
  if (filter === undefined) return []
  if ('terms' in filter) return filter.terms.flatMap((term) => getFilteredFields(term, alias))
  if ('term' in filter) return getFilteredFields(filter.term, alias)
  if (filter.kind === 'search') return []
  const { operand } = filter
  return operand.kind === 'field' && operand.source.alias === alias ? [operand.field.name] : []
}

function makeNotes(object: ObjectType, fields: readonly string[]): PlanNote[] {
  const indexed = indexedFields(object)
  const unindexed = [...new Set(fields)].filter((name) => !indexed.some((field) => field.name === name))
  if (unindexed.length === 0) return []
  return [
    {
      description: 'Not considering filter for optimization because unindexed',
      fields: unindexed,
      tableEnumOrId: object.name,
    },
  ]
}

interface ExplainOptions {
  /** Records in the recycle bin too. */
  readonly deletedToo: boolean
  /** Include the SQL statement in the reply. */
  readonly statement: boolean
}

/** The SQL that a query becomes, with `$1`, `$2`, ... for its values. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Explanation {
  readonly plans: readonly QueryPlan[]
  readonly sourceQuery: string
  /** The statement of the first page; only on request. */
  readonly statement?: SqlStatement
}

/** A query as PostgreSQL sees it. */
interface DatabasePlan {
  readonly sql: string
  /** Output of `EXPLAIN (FORMAT JSON)`. */
  readonly plan: readonly [{ readonly Plan: PlanNode }]
}

/** The statement of the first page of a query, and PostgreSQL's own plan of it. The query is not run. */
export async function planQuery(ctx: Context, text: string): Promise<DatabasePlan> {
  const query = compileQuery(text, ctx.visible, ctx.version)
  const statement = makeStatement(ctx, query, await loadQueryContext(ctx, query.plan, false))
  return { sql: statement.text, plan: [{ Plan: await loadPlan(ctx.db, explainSql.plan(statement)) }] }
}

/**
 * Explains how PostgreSQL would run a query, in the terms of the API. The query itself runs only to count records for
 * users who may not see all of them.
 */
export async function explainQuery(
  ctx: Context,
  text: string,
  options: ExplainOptions,
): Promise<Explanation> {
  const query = compileQuery(text, ctx.visible, ctx.version)
  const { object, alias } = query.plan.sources[0]
  const queryContext = await loadQueryContext(ctx, query.plan, options.deletedToo)
  const statement = makeStatement(ctx, query, queryContext)
  const plan = await loadPlan(ctx.db, explainSql.plan(statement))
  const whole = await loadPlan(ctx.db, explainSql.plan(explainSql.wholeTable(ctx.org, object)))
  const scan = findScan(plan, alias)
  const index = scan && findIndexName(scan)
  const field =
    index === undefined ? undefined : indexedFields(object).find((entry) => isNamed(index, entry.index))
  const type = scan === undefined ? 'Other' : index === undefined ? 'TableScan' : 'Index'
  const { cardinality, sobjectCardinality, relativeCost } = await estimateCost(
    ctx,
    object,
    statement,
    queryContext,
    plan,
    whole,
  )
  return {
    plans: [
      {
        cardinality,
        fields: field === undefined ? [] : [field.name],
        leadingOperationType: type,
        notes: makeNotes(object, getFilteredFields(query.plan.filter, alias)),
        relativeCost,
        sobjectCardinality,
        sobjectType: object.name,
      },
    ],
    sourceQuery: text,
    ...(options.statement && { statement: { text: statement.text, values: statement.values } }),
  }
}
