import type { Context } from '../context.ts'
import type { RecordBody } from '../schema/record-shape.sql.ts'
import { compileQuery } from './compile.ts'
import { findPage, isRecordQuery, openCursor, type Page, parseLocator, readPage } from './cursor.ts'
import { querySql } from './statement.sql.ts'

/** One page of a result. (interface.md "Query result") */
export interface QueryResult {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly RecordBody[]
}

type Shape = NonNullable<ReturnType<typeof compileQuery>['shape']>

function resultOf(ctx: Context, shape: Shape, { totalSize, rows, nextLocator }: Page): QueryResult {
  const { path } = ctx.version
  const records = rows.map((row) => shape.read(row, 0, path)!)
  if (nextLocator === undefined) return { totalSize, done: true, records }
  return { totalSize, done: false, nextRecordsUrl: `${path}/query/${nextLocator}`, records }
}

/** Runs a query and gives its first page of at most `pageSize` records. */
export async function runQuery(ctx: Context, text: string, pageSize: number): Promise<QueryResult> {
  const query = compileQuery(text, ctx.schema)
  if (!isRecordQuery(query)) {
    const [row] = await ctx.db.query<{ total: number }>(querySql.count(ctx.org, query.plan))
    return { totalSize: row!.total, done: true, records: [] }
  }
  const { plan, shape } = query
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  // One more than a page tells whether there is another; with OFFSET there is none. (contract/soql 7)
  const most = plan.offset === undefined ? pageSize + 1 : pageSize
  const rows = await ctx.db.rows(querySql.first(ctx.org, plan, shape.columns, Math.min(limit, most)))
  const page =
    rows.length <= pageSize
      ? { totalSize: rows.length, rows, nextLocator: undefined }
      : await openCursor(ctx, query, text, pageSize, rows)
  return resultOf(ctx, shape, page)
}

/** Another page of a result, by the locator that the page before gave. */
export async function runNextPage(ctx: Context, locatorText: string): Promise<QueryResult> {
  const locator = parseLocator(locatorText)
  const stored = await findPage(ctx, locator)
  const query = compileQuery(stored.query, ctx.schema)
  if (!isRecordQuery(query)) throw new Error('a count has no pages')
  return resultOf(ctx, query.shape, await readPage(ctx, query, locator, stored))
}
