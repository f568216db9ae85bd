import { decodeInSlices } from '../access/decode-in-slices.ts'
import { makeOpenValue } from '../access/open-values.ts'
import { ApiError } from '../base/api-error.ts'
import { type ApiVersion, makeApiVersion } from '../base/api-version.ts'
import { Json } from '../base/json.ts'
import type { Sql } from '../base/sql.ts'
import type { Context } from '../context.ts'
import { keepsRecent } from '../schema/describe/describe-object.ts'
import type { DecodeContext, RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { loadQueryContext } from './analyze/load-query-context.ts'
import { makeQueryContext, type QueryContext } from './analyze/query-context.ts'
import { cacheStatement } from './analyze/statement-cache.ts'
import { checkLinkFilter } from './check-link-filter.ts'
import { compileOpenQuery, compileQuery, type RecordQuery } from './compile/compile.ts'
import { presentValue } from './compile/present-value.ts'
import {
  findPage,
  isOnlyRead,
  LOCATORS,
  type LocatorPrefix,
  openChildCursor,
  openCursor,
  type Page,
  parseLocator,
  type QueryRequest,
  readPage,
} from './paging/cursor.ts'
import { maskQuery } from './parse/mask-query.ts'
import { maxOperandBytes } from './plan/operand.ts'
import type { AggregatePlan, CountPlan } from './plan/plan.ts'
import { fillSlots } from './plan/slot.ts'
import type { Overflow } from './sql/child-records.sql.ts'
import { type FormattedChildren, type FormattedPlan, querySql } from './sql/statement.sql.ts'
import { rowsTogether } from './together/rows-together.ts'
import { writeRows } from './together/written-rows.ts'

/** One page of a result. (docs/reference/api/queries.md#result) */
export interface QueryResult {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly RecordBody[]
}

interface QueryOptions {
  /** Maximum number of records on a page. */
  readonly pageSize: number
  /** Records in the recycle bin too. */
  readonly deletedToo: boolean
  /** The server's own query, which the strict rules do not concern. */
  readonly isOwn?: boolean
  /** Default those of the data API. */
  readonly locators?: LocatorPrefix
}

/** Aggregate rows are never paged. (docs/reference/api/queries.md#groups) */
const MAX_GROUPS = 2000

/** Returns the part of the call's context that decoding rows needs. */
export const makeDecodeContext = (ctx: Context): DecodeContext => ({
  versionPath: ctx.version.path,
  origin: ctx.origin,
  locale: ctx.principal.locale,
  timeZone: ctx.principal.timeZone,
  open: makeOpenValue(ctx),
  hasNumbers: ctx.hasNumbers,
})

/** A child query by its path: its index among those of each SELECT, from the outermost inward. */
function findChild(
  { children }: Pick<FormattedPlan, 'children'>,
  [number, ...way]: readonly number[],
): FormattedChildren {
  const child = children[number!]!
  return way.length > 0 ? findChild(child, way) : child
}

/** The rows of a page, and what made them. */
interface Found {
  readonly shaped: FormattedPlan
  readonly requested: QueryRequest
  /** To the child query: its index among those of each SELECT, from the outermost inward. */
  readonly path: readonly number[]
  readonly page: Page
}

const nextRecordsUrl = ({ version }: Context, locator: string) => `${version.path}/query/${locator}`

async function makeResult(ctx: Context, { shaped, requested, path, page }: Found): Promise<QueryResult> {
  const { totalSize, rows, nextLocator } = page
  const decodeContext = makeDecodeContext(ctx)
  const decoding = { open: decodeContext.open, deadline: ctx.deadline }
  const { records, overflow } = await decodeInSlices(decoding, function* (open) {
    const overflow: Overflow[] = []
    const how = { ...decodeContext, open, overflow }
    const records: RecordBody[] = []
    for (const row of rows) {
      records.push(shaped.format.read(row, 0, how)!)
      yield
    }
    return { records, overflow }
  })
  for (const { path: way, parentId, result } of overflow) {
    const child = findChild(shaped, way)
    const childPath = [...path, ...way]
    const page = await openChildCursor(ctx, child, requested, childPath, parentId)
    Object.assign(result, await makeResult(ctx, { shaped: child, requested, path: childPath, page }))
  }
  if (nextLocator === undefined) return { totalSize, done: true, records }
  return { totalSize, done: false, nextRecordsUrl: nextRecordsUrl(ctx, nextLocator), records }
}

/** The same as JSON. Child records may have pages of their own, which have to be read first. */
async function writeResult(ctx: Context, found: Found): Promise<QueryResult | Json> {
  const { shaped, page } = found
  if (shaped.children.length > 0) return makeResult(ctx, found)
  const { totalSize, rows, nextLocator } = page
  const more = nextLocator === undefined ? undefined : JSON.stringify(nextRecordsUrl(ctx, nextLocator))
  const begin = `{"totalSize":${totalSize},"done":${more === undefined ? 'true' : `false,"nextRecordsUrl":${more}`},"records":[`
  const how = makeDecodeContext(ctx)
  const records = await writeRows({ format: shaped.format, rows, how, deadline: ctx.deadline })
  return new Json([begin, records, ']}'])
}

async function runCount(ctx: Context, plan: CountPlan, deletedToo: boolean): Promise<QueryResult> {
  const statement = querySql.count(ctx.org, plan, makeQueryContext(ctx, deletedToo))
  const [row] = await ctx.db.query<{ total: number }>(statement)
  return { totalSize: row!.total, done: true, records: [] }
}

const makeGroupWidth = ({ items }: AggregatePlan) => ({
  bytes: items.reduce((total, { name, operand }) => total + name.length + maxOperandBytes(operand), 0),
  weights: items.map(() => 1),
})

async function runAggregate(ctx: Context, plan: AggregatePlan, deletedToo: boolean): Promise<QueryResult> {
  const statement = querySql.aggregate(ctx.org, plan, makeQueryContext(ctx, deletedToo), MAX_GROUPS + 1)
  const { rows, isCut } = await ctx.answer.rows({
    db: ctx.db,
    statement,
    width: makeGroupWidth(plan),
    max: MAX_GROUPS + 1,
    isOnly: isOnlyRead(ctx, { children: [] }),
  })
  if (isCut) throw ctx.answer.tooLarge()
  if (rows.length > MAX_GROUPS) {
    throw new ApiError(
      'EXCEEDED_ID_LIMIT',
      'Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch',
    )
  }
  const decodeContext = makeDecodeContext(ctx)
  const records = rows.map((row) => {
    const record: RecordBody = { attributes: { type: 'AggregateResult' } }
    for (const [index, { name, operand, presentation }] of plan.items.entries()) {
      record[name] = presentValue(operand, presentation, row[index]!, decodeContext)
    }
    return record
  })
  return { totalSize: records.length, done: true, records }
}

/** Only FOR VIEW and FOR REFERENCE store record views. */
function recordViews(ctx: Context, { viewKind, format }: RecordQuery, { rows }: Page): void {
  if (viewKind !== undefined && keepsRecent(format.object))
    ctx.recent.note(
      viewKind,
      rows.map(([id]) => id as string),
    )
}

function makeFirstPageStatement(ctx: Context, query: RecordQuery, context: QueryContext, max: number): Sql {
  const key = `${ctx.org.schemaName} ${max} ${context.deletedToo}`
  return cacheStatement(query.statements, key, context, (queryContext) =>
    querySql.first(ctx.org, query, queryContext, max),
  )
}

/** Notes a query that takes as long as the setting for slow statements, also one that fails for that. */
async function noteIfSlow<T>(ctx: Context, text: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await run()
  } finally {
    const took = performance.now() - start
    const slow = ctx.settings.slowStatementMilliseconds
    if (slow !== undefined && took >= slow) ctx.slowQueries.note(maskQuery(text), ctx.version.major, took)
  }
}

/** A record query with the values of its own text. */
function compileRecordQuery({ visible }: Context, text: string, version: ApiVersion): RecordQuery {
  const query = compileQuery(text, visible, version)
  if (query.kind !== 'records') throw new Error('only record queries have further pages')
  return query
}

/** The first page of a query; of counts and groups, the result itself. */
async function findFirst(
  ctx: Context,
  text: string,
  { pageSize: requested, deletedToo, isOwn = false, locators = LOCATORS.data }: QueryOptions,
): Promise<QueryResult | Found> {
  const open = compileOpenQuery(text, ctx.visible, ctx.version)
  const query = open?.query ?? compileQuery(text, ctx.visible, ctx.version)
  if (!ctx.settings.lenient && !isOwn) checkLinkFilter(query.plan)
  ctx.worksOn(query.plan.sources[0]!.object.name)
  if (query.kind === 'count') return noteIfSlow(ctx, text, () => runCount(ctx, query.plan, deletedToo))
  if (query.kind === 'aggregate') {
    return noteIfSlow(ctx, text, () => runAggregate(ctx, query.plan, deletedToo))
  }
  const { plan } = query
  const pageSize = Math.min(requested, query.maxPageSize)
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  // One row more than a page shows whether another page follows; with OFFSET none does. (docs/reference/api/queries.md#order-limit-and-offset)
  const max = plan.offset === undefined ? pageSize + 1 : pageSize
  const request = { query: text, deletedToo, pageSize, locators }
  const page = await noteIfSlow(ctx, text, async () => {
    const loaded = loadQueryContext(ctx, plan, deletedToo)
    const queryContext = loaded instanceof Promise ? await loaded : loaded
    const made = makeFirstPageStatement(ctx, query, queryContext, Math.min(limit, max))
    const read = await ctx.answer.rows({
      db: ctx.db,
      statement: open === undefined ? made : fillSlots(made, open.values),
      width: query.format.width,
      max: Math.min(limit, max),
      isOnly: isOnlyRead(ctx, query),
      read: (statement) => rowsTogether(ctx, statement),
    })
    const { rows, isCut } = read
    if (rows.length <= pageSize && !isCut) return { totalSize: rows.length, rows, nextLocator: undefined }
    return openCursor(ctx, compileRecordQuery(ctx, text, ctx.version), request, read)
  })
  recordViews(ctx, query, page)
  return { shaped: query, requested: request, path: [], page }
}

/** Runs a query and returns its first page. */
export async function runQuery(ctx: Context, text: string, options: QueryOptions): Promise<QueryResult> {
  const found = await findFirst(ctx, text, options)
  return 'page' in found ? makeResult(ctx, found) : found
}

/** The same as the body of an answer. */
export async function answerQuery(ctx: Context, text: string, options: QueryOptions): Promise<unknown> {
  const found = await findFirst(ctx, text, options)
  return 'page' in found ? writeResult(ctx, found) : found
}

async function findNext(
  ctx: Context,
  locatorText: string,
  locators: LocatorPrefix = LOCATORS.data,
): Promise<Found> {
  const locator = parseLocator(locatorText, locators)
  const stored = await findPage(ctx, locator)
  const query = compileRecordQuery(ctx, stored.query, makeApiVersion(stored.version))
  const shaped = stored.childPath.length === 0 ? query : findChild(query, stored.childPath)
  const page = await readPage(ctx, shaped, locator, stored)
  if (shaped === query) recordViews(ctx, query, page)
  return { shaped, requested: { ...stored, locators }, path: stored.childPath, page }
}

/** Another page of a result, by the locator from the page before. */
export const runNextPage = async (ctx: Context, locator: string, locators?: LocatorPrefix) =>
  makeResult(ctx, await findNext(ctx, locator, locators))

/** The same as the body of an answer. */
export const answerNextPage = async (ctx: Context, locator: string): Promise<unknown> =>
  writeResult(ctx, await findNext(ctx, locator))
