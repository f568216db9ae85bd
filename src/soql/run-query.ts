import { openingFor } from '../access/open-values.ts'
import { ApiError } from '../base/api-error.ts'
import { makeApiVersion } from '../base/api-version.ts'
import type { Context } from '../context.ts'
import { keepsRecent } from '../schema/describe-object.ts'
import type { Reading, RecordBody } from '../schema/record-shape.sql.ts'
import { askingOf } from './asking.ts'
import type { Overflow } from './child-records.sql.ts'
import { compileQuery, type RecordQuery } from './compile.ts'
import {
  type Asked,
  findPage,
  openChildCursor,
  openCursor,
  type Page,
  parseLocator,
  readPage,
} from './cursor.ts'
import { firstPage } from './first-page.ts'
import type { AggregatePlan, CountPlan } from './plan.ts'
import { presentValue } from './present-value.ts'
import { querySql, type ShapedChildren, type ShapedPlan } from './statement.sql.ts'

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
const MOST_GROUPS = 2000

/** What a reader of rows needs of a call. */
export const readingOf = (ctx: Context): Reading => ({
  versionPath: ctx.version.path,
  locale: ctx.principal.locale,
  timeZone: ctx.principal.timeZone,
  open: openingFor(ctx),
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
  asked: Asked,
  path: readonly number[],
  { totalSize, rows, nextLocator }: Page,
): Promise<QueryResult> {
  const overflow: Overflow[] = []
  const reading = { ...readingOf(ctx), overflow }
  const records = rows.map((row) => shaped.shape.read(row, 0, reading)!)
  for (const { path: way, parentId, result } of overflow) {
    const child = childOf(shaped, way)
    const childPath = [...path, ...way]
    const page = await openChildCursor(ctx, child, asked, childPath, parentId)
    Object.assign(result, await resultOf(ctx, child, asked, childPath, page))
  }
  if (nextLocator === undefined) return { totalSize, done: true, records }
  return { totalSize, done: false, nextRecordsUrl: `${ctx.version.path}/query/${nextLocator}`, records }
}

async function runCount(ctx: Context, plan: CountPlan, deletedToo: boolean): Promise<QueryResult> {
  const statement = querySql.count(ctx.org, plan, askingOf(ctx, deletedToo))
  const [row] = await ctx.db.query<{ total: number }>(statement)
  return { totalSize: row!.total, done: true, records: [] }
}

async function runAggregate(ctx: Context, plan: AggregatePlan, deletedToo: boolean): Promise<QueryResult> {
  const statement = querySql.aggregate(ctx.org, plan, askingOf(ctx, deletedToo), MOST_GROUPS + 1)
  const rows = await ctx.db.rows(statement)
  if (rows.length > MOST_GROUPS) {
    throw new ApiError(
      'EXCEEDED_ID_LIMIT',
      'Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch',
    )
  }
  const reading = readingOf(ctx)
  const records = rows.map((row) => {
    const record: RecordBody = { attributes: { type: 'AggregateResult' } }
    for (const [index, { name, operand, presentation }] of plan.items.entries()) {
      record[name] = presentValue(operand, presentation, row[index]!, reading)
    }
    return record
  })
  return { totalSize: records.length, done: true, records }
}

/** Queries are no use of their records unless they say so. */
function noteUse(ctx: Context, { use, shape }: RecordQuery, { rows }: Page): void {
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
  { pageSize: asked, deletedToo }: QueryOptions,
): Promise<QueryResult> {
  const query = compileQuery(text, ctx.visible, ctx.version)
  ctx.worksOn(query.plan.sources[0]!.object.name)
  if (query.kind === 'count') return runCount(ctx, query.plan, deletedToo)
  if (query.kind === 'aggregate') return runAggregate(ctx, query.plan, deletedToo)
  const { plan } = query
  const pageSize = Math.min(asked, query.mostRows)
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  // One more than a page tells whether there is another; with OFFSET there is none. (docs/reference/api/queries.md#order-limit-and-offset)
  const most = plan.offset === undefined ? pageSize + 1 : pageSize
  const statement = firstPage(ctx.org, query, askingOf(ctx, deletedToo), Math.min(limit, most))
  const rows = await ctx.db.rows(statement)
  const question = { query: text, deletedToo }
  const page =
    rows.length <= pageSize
      ? { totalSize: rows.length, rows, nextLocator: undefined }
      : await openCursor(ctx, query, question, pageSize, rows)
  noteUse(ctx, query, page)
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
  if (shaped === query) noteUse(ctx, query, page)
  return resultOf(ctx, shaped, stored, stored.childPath, page)
}
