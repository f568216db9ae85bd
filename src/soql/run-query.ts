import { ApiError } from '../base/api-error.ts'
import { makeApiVersion } from '../base/api-version.ts'
import type { Context } from '../context.ts'
import type { RecordBody } from '../schema/record-shape.sql.ts'
import { askingOf } from './asking.ts'
import type { Overflow } from './child-records.sql.ts'
import { compileQuery } from './compile.ts'
import {
  type Asked,
  findPage,
  openChildCursors,
  openCursor,
  type Page,
  parseLocator,
  readPage,
} from './cursor.ts'
import type { AggregatePlan, CountPlan } from './plan.ts'
import { presentValue } from './present-value.ts'
import { querySql, type ShapedPlan } from './statement.sql.ts'

/** One page of a result. (interface.md "Query result") */
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

/** Rows that sum up are never paged. (contract/soql 6) */
const MOST_GROUPS = 2000

const readingOf = ({ version, principal }: Context) => ({
  versionPath: version.path,
  locale: principal.locale,
  timeZone: principal.timeZone,
})

/** A result, made when it is asked for: as a value, or at once as the JSON text that is sent. */
export interface QueryAnswer {
  readonly body: QueryResult
  readonly json?: () => string
}

function resultOf(
  ctx: Context,
  records: readonly RecordBody[],
  { totalSize, nextLocator }: Page,
): QueryResult {
  if (nextLocator === undefined) return { totalSize, done: true, records }
  const nextRecordsUrl = `${ctx.version.path}/query/${nextLocator}`
  return { totalSize, done: false, nextRecordsUrl, records }
}

/** Records with child records are made at once, because children may need pages of their own. */
async function answerWithChildren(
  ctx: Context,
  { shape }: ShapedPlan,
  asked: Asked,
  path: readonly number[],
  page: Page,
): Promise<QueryAnswer> {
  const overflow: Overflow[] = []
  const reading = { ...readingOf(ctx), overflow }
  const records = page.rows.map((row) => shape.read(row, 0, reading)!)
  if (overflow.length > 0) await openChildCursors(ctx, asked, path, overflow)
  return { body: resultOf(ctx, records, page) }
}

function answerOf(ctx: Context, { shape }: ShapedPlan, page: Page): QueryAnswer {
  const reading = readingOf(ctx)
  return {
    get body() {
      const records = page.rows.map((row) => shape.read(row, 0, reading)!)
      return resultOf(ctx, records, page)
    },
    json() {
      const envelope = JSON.stringify(resultOf(ctx, [], page))
      let text = envelope.slice(0, -']}'.length)
      for (let i = 0; i < page.rows.length; i++)
        text += (i > 0 ? ',' : '') + shape.write(page.rows[i]!, reading)
      return `${text}]}`
    },
  }
}

function answer(
  ctx: Context,
  shaped: ShapedPlan,
  asked: Asked,
  path: readonly number[],
  page: Page,
): Promise<QueryAnswer> | QueryAnswer {
  return shaped.children.length > 0
    ? answerWithChildren(ctx, shaped, asked, path, page)
    : answerOf(ctx, shaped, page)
}

async function runCount(ctx: Context, plan: CountPlan, deletedToo: boolean): Promise<QueryAnswer> {
  const statement = querySql.count(ctx.org, plan, askingOf(ctx, deletedToo))
  const [row] = await ctx.db.query<{ total: number }>(statement)
  return { body: { totalSize: row!.total, done: true, records: [] } }
}

async function runAggregate(ctx: Context, plan: AggregatePlan, deletedToo: boolean): Promise<QueryAnswer> {
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
  return { body: { totalSize: records.length, done: true, records } }
}

/** Runs a query and gives its first page. */
export async function runQuery(
  ctx: Context,
  text: string,
  { pageSize: asked, deletedToo }: QueryOptions,
): Promise<QueryAnswer> {
  const query = compileQuery(text, ctx.schema, ctx.version)
  if (query.kind === 'count') return runCount(ctx, query.plan, deletedToo)
  if (query.kind === 'aggregate') return runAggregate(ctx, query.plan, deletedToo)
  const { plan } = query
  const pageSize = Math.min(asked, query.mostRows)
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  // One more than a page tells whether there is another; with OFFSET there is none. (contract/soql 7)
  const most = plan.offset === undefined ? pageSize + 1 : pageSize
  const statement = querySql.first(ctx.org, query, askingOf(ctx, deletedToo), Math.min(limit, most))
  const rows = await ctx.db.rows(statement)
  const question = { query: text, deletedToo }
  const page =
    rows.length <= pageSize
      ? { totalSize: rows.length, rows, nextLocator: undefined }
      : await openCursor(ctx, query, question, pageSize, rows)
  return answer(ctx, query, question, [], page)
}

/** Another page of a result, by the locator that the page before gave. */
export async function runNextPage(ctx: Context, locatorText: string): Promise<QueryAnswer> {
  const locator = parseLocator(locatorText)
  const stored = await findPage(ctx, locator)
  const query = compileQuery(stored.query, ctx.schema, makeApiVersion(stored.version))
  if (query.kind !== 'records') throw new Error('only records have pages')
  let shaped: ShapedPlan = query
  for (const number of stored.childPath) {
    const child = shaped.children[number]!
    shaped = { plan: child.selection.plan, shape: child.shape, children: child.children }
  }
  return answer(ctx, shaped, stored, stored.childPath, await readPage(ctx, shaped, locator, stored))
}
