import { makeOpenValue } from '../access/open-values.ts'
import { ApiError } from '../base/api-error.ts'
import { makeApiVersion } from '../base/api-version.ts'
import type { Context } from '../context.ts'
import { keepsRecent } from '../schema/describe/describe-object.ts'
import type { DecodeContext, RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { makeQueryContext } from './analyze/query-context.ts'
import { compileQuery, type RecordQuery } from './compile/compile.ts'
import { presentValue } from './compile/present-value.ts'
import {
  findPage,
  openChildCursor,
  openCursor,
  type Page,
  parseLocator,
  type Requested,
  readPage,
} from './paging/cursor.ts'
import { firstPage } from './paging/first-page.ts'
import type { AggregatePlan, CountPlan } from './plan/plan.ts'
import type { Overflow } from './sql/child-records.sql.ts'
import { querySql, type ShapedChildren, type ShapedPlan } from './sql/statement.sql.ts'

/** One page of a result. (docs/reference/api/queries.md#result) */
export interface QueryResult {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly RecordBody[]
}

export interface QueryOptions {
  /** Most records of a page. */
  readonly pageSize: number
  /** Records in the recycle bin too. */
  readonly deletedToo: boolean
}

/** Rows that sum up are never paged. (docs/reference/api/queries.md#groups) */
const MAX_GROUPS = 2000

/** What a reader of rows needs of a call. */
export const makeDecodeContext = (ctx: Context): DecodeContext => ({
  versionPath: ctx.version.path,
  locale: ctx.principal.locale,
  timeZone: ctx.principal.timeZone,
  open: makeOpenValue(ctx),
})

/** A child query by its way: its number among those of its SELECT, from the outermost on. */
function childOf(
  { children }: Pick<ShapedPlan, 'children'>,
  [number, ...way]: readonly number[],
): ShapedChildren {
  const child = children[number!]!
  return way.length > 0 ? childOf(child, way) : child
}

async function resultOf(
  ctx: Context,
  shaped: ShapedPlan,
  requested: Requested,
  path: readonly number[],
  { totalSize, rows, nextLocator }: Page,
): Promise<QueryResult> {
  const overflow: Overflow[] = []
  const decoding = { ...makeDecodeContext(ctx), overflow }
  const records = rows.map((row) => shaped.shape.read(row, 0, decoding)!)
  for (const { path: way, parentId, result } of overflow) {
    const child = childOf(shaped, way)
    const childPath = [...path, ...way]
    const page = await openChildCursor(ctx, child, requested, childPath, parentId)
    Object.assign(result, await resultOf(ctx, child, requested, childPath, page))
  }
  if (nextLocator === undefined) return { totalSize, done: true, records }
  return { totalSize, done: false, nextRecordsUrl: `${ctx.version.path}/query/${nextLocator}`, records }
}

async function runCount(ctx: Context, plan: CountPlan, deletedToo: boolean): Promise<QueryResult> {
  const statement = querySql.count(ctx.org, plan, makeQueryContext(ctx, deletedToo))
  const [row] = await ctx.db.query<{ total: number }>(statement)
  return { totalSize: row!.total, done: true, records: [] }
}

async function runAggregate(ctx: Context, plan: AggregatePlan, deletedToo: boolean): Promise<QueryResult> {
  const statement = querySql.aggregate(ctx.org, plan, makeQueryContext(ctx, deletedToo), MAX_GROUPS + 1)
  const rows = await ctx.db.rows(statement)
  if (rows.length > MAX_GROUPS) {
    throw new ApiError(
      'EXCEEDED_ID_LIMIT',
      'Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch',
    )
  }
  const decoding = makeDecodeContext(ctx)
  const records = rows.map((row) => {
    const record: RecordBody = { attributes: { type: 'AggregateResult' } }
    for (const [index, { name, operand, presentation }] of plan.items.entries()) {
      record[name] = presentValue(operand, presentation, row[index]!, decoding)
    }
    return record
  })
  return { totalSize: records.length, done: true, records }
}

/** Queries are no use of their records unless they say so. */
function noteView(ctx: Context, { use, shape }: RecordQuery, { rows }: Page): void {
  if (use !== undefined && keepsRecent(shape.object))
    ctx.recent.note(
      use,
      rows.map(([id]) => id as string),
    )
}

/** Runs a query and gives its first page. */
export async function runQuery(
  ctx: Context,
  text: string,
  { pageSize: requested, deletedToo }: QueryOptions,
): Promise<QueryResult> {
  const query = compileQuery(text, ctx.visible, ctx.version)
  ctx.worksOn(query.plan.sources[0]!.object.name)
  if (query.kind === 'count') return runCount(ctx, query.plan, deletedToo)
  if (query.kind === 'aggregate') return runAggregate(ctx, query.plan, deletedToo)
  const { plan } = query
  const pageSize = Math.min(requested, query.maxRows)
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  // One more than a page tells whether there is another; with OFFSET there is none. (docs/reference/api/queries.md#order-limit-and-offset)
  const max = plan.offset === undefined ? pageSize + 1 : pageSize
  const statement = firstPage(ctx.org, query, makeQueryContext(ctx, deletedToo), Math.min(limit, max))
  const rows = await ctx.db.rows(statement)
  const question = { query: text, deletedToo }
  const page =
    rows.length <= pageSize
      ? { totalSize: rows.length, rows, nextLocator: undefined }
      : await openCursor(ctx, query, question, pageSize, rows)
  noteView(ctx, query, page)
  return resultOf(ctx, query, question, [], page)
}

/** Another page of a result, by the locator that the page before gave. */
export async function runNextPage(ctx: Context, locatorText: string): Promise<QueryResult> {
  const locator = parseLocator(locatorText)
  const stored = await findPage(ctx, locator)
  const query = compileQuery(stored.query, ctx.visible, makeApiVersion(stored.version))
  if (query.kind !== 'records') throw new Error('only records have pages')
  const shaped = stored.childPath.length === 0 ? query : childOf(query, stored.childPath)
  const page = await readPage(ctx, shaped, locator, stored)
  if (shaped === query) noteView(ctx, query, page)
  return resultOf(ctx, shaped, stored, stored.childPath, page)
}
