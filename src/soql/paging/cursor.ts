import { ApiError } from '../../base/api-error.ts'
import { secondsText } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { Row } from '../../storage/database/db.ts'
import { makeQueryContext } from '../analyze/query-context.ts'
import type { RecordPlan } from '../plan/plan.ts'
import { pageSql } from '../sql/page.sql.ts'
import { CHILD_PAGE, querySql, type ShapedChildren, type ShapedPlan } from '../sql/statement.sql.ts'

/**
 * Results of more than one page. The law: every record that matched at query time and still lives appears on exactly
 * one page, whatever happens between the pages; any process serves any page; no transaction stays open; page N costs
 * what page 1 costs.
 *
 * Two ways keep it. A query without conditions or limit, in the order of ids, needs only the ids between which a page
 * lies: ids never change. Any other query could lose or repeat records whose values change, or (with a limit) give
 * their place to new ones whose ids are lower, because each process has its own block of ids. So the ids of its
 * matches are written down in one statement, a page in a row.
 */

/** Key prefix of locators. */
const LOCATOR_PREFIX = '0r8'

/** One page of rows, and where the next one is. */
export interface Page {
  readonly totalSize: number
  readonly rows: readonly Row[]
  /** `<id>-<start>`; undefined: this is the last page. */
  readonly nextLocator: string | undefined
}

interface StoredPage extends Requested {
  readonly userId: string
  /** Major API version that the query was sent in: what it means depends on it. */
  readonly version: number
  /** The way to the child query whose results these are; empty for the query itself. */
  readonly childPath: readonly number[]
  readonly totalSize: number
  readonly pageSize: number
  /** Seconds since 1970. */
  readonly expiresAt: number
  /** Keyset: the page holds what comes after this id. Null: a list. */
  readonly afterId: string | null
  readonly nextAfterId: string | null
  /** Keyset: the last id of the result when it was asked for; whatever comes later has no place in it. */
  readonly lastId: string
}

/** What was asked for, so that any process can make its other pages. */
export interface Requested {
  readonly query: string
  readonly deletedToo: boolean
}

const invalidLocator = () => new ApiError('INVALID_QUERY_LOCATOR', 'invalid query locator')

/** Whether the order of the result is that of its ids and nothing that may change decides what is in it. */
export function followsIds({ filter, limit, orderings, sources: [root] }: RecordPlan): boolean {
  const byId = orderings.every(
    ({ operand, descending }) =>
      operand.kind === 'field' && operand.source === root && operand.field.name === 'Id' && !descending,
  )
  return filter === undefined && limit === undefined && byId
}

/** The first page of a result that has more than one. `rows` are its first ones, as they were read. */
export async function openCursor(
  ctx: Context,
  query: ShapedPlan,
  requested: Requested,
  pageSize: number,
  rows: readonly Row[],
): Promise<Page> {
  const time = secondsText(ctx.clock())
  const id = await ctx.ids.make(LOCATOR_PREFIX, ctx.db)
  const cursor = { ...cursorOf(ctx, requested, pageSize), id, time, childPath: '' }
  const queryContext = makeQueryContext(ctx, requested.deletedToo)
  await ctx.db.query(pageSql.deleteExpired(ctx.org, time))
  if (followsIds(query.plan)) {
    const page = rows.slice(0, pageSize)
    const afterId = page.at(-1)![0] as string
    type Extent = { total: number; lastId: string | null }
    const [extent] = await ctx.db.query<Extent>(querySql.extent(ctx.org, query.plan, queryContext))
    const { total, lastId } = extent!
    await ctx.db.query(pageSql.openKeyset(ctx.org, cursor, total, afterId, lastId ?? afterId))
    return { totalSize: total, rows: page, nextLocator: `${id}-${pageSize}` }
  }
  const matches = querySql.matches(ctx.org, query.plan, queryContext)
  const [opened] = await ctx.db.query<{ totalSize: number }>(pageSql.openList(ctx.org, cursor, matches))
  const { totalSize } = opened!
  return readListed(ctx, query, requested, { id, start: 0 }, totalSize, pageSize)
}

const cursorOf = (ctx: Context, { query, deletedToo }: Requested, pageSize: number) => ({
  userId: ctx.principal.userId,
  query,
  deletedToo,
  version: ctx.version.major,
  pageSize,
})

/** The first page of the children of a record that has more than one. */
export async function openChildCursor(
  ctx: Context,
  child: ShapedChildren,
  requested: Requested,
  path: readonly number[],
  parentId: string,
): Promise<Page> {
  const id = await ctx.ids.make(LOCATOR_PREFIX, ctx.db)
  const time = secondsText(ctx.clock())
  const cursor = { ...cursorOf(ctx, requested, CHILD_PAGE), id, time, childPath: path.join('.') }
  const queryContext = makeQueryContext(ctx, requested.deletedToo)
  const matches = querySql.childMatches(ctx.org, child.plan, queryContext, parentId)
  const [opened] = await ctx.db.query<{ totalSize: number }>(pageSql.openList(ctx.org, cursor, matches))
  const { totalSize } = opened!
  return readListed(ctx, child, requested, { id, start: 0 }, totalSize, CHILD_PAGE)
}

interface Locator {
  readonly id: string
  readonly start: number
}

export function parseLocator(text: string): Locator {
  const match = /^([A-Za-z0-9]{18})-(\d{1,9})$/.exec(text)
  if (match === null) throw invalidLocator()
  return { id: match[1]!, start: Number(match[2]) }
}

/** What a locator stands for; other users' and expired ones stand for nothing. */
export async function findPage(ctx: Context, locator: Locator): Promise<StoredPage> {
  type PageRow = Omit<StoredPage, 'childPath'> & { childPath: string }
  const [page] = await ctx.db.query<PageRow>(pageSql.find(ctx.org, locator.id, locator.start))
  const expired = page === undefined || page.expiresAt * 1000 <= ctx.clock().getTime()
  if (expired || page.userId !== ctx.principal.userId) throw invalidLocator()
  const childPath = page.childPath === '' ? [] : page.childPath.split('.').map(Number)
  return { ...page, childPath }
}

/** The rows of a page that is not the first. */
export function readPage(
  ctx: Context,
  query: ShapedPlan,
  locator: Locator,
  stored: StoredPage,
): Promise<Page> {
  return stored.afterId === null
    ? readListed(ctx, query, stored, locator, stored.totalSize, stored.pageSize)
    : readKeyset(ctx, query, locator, stored, stored.afterId, stored.nextAfterId)
}

async function readListed(
  ctx: Context,
  query: ShapedPlan,
  requested: Requested,
  { id, start }: Locator,
  totalSize: number,
  pageSize: number,
): Promise<Page> {
  const ids = pageSql.ids(ctx.org, id, start)
  const rows = await ctx.db.rows(
    querySql.listed(ctx.org, query, makeQueryContext(ctx, requested.deletedToo), ids),
  )
  const next = start + pageSize
  return { totalSize, rows, nextLocator: next < totalSize ? `${id}-${next}` : undefined }
}

/**
 * A page read for the first time fixes where the next one starts, the last one that none follows; read again it ends
 * there, whatever was inserted or deleted since.
 */
async function readKeyset(
  ctx: Context,
  query: ShapedPlan,
  { id, start }: Locator,
  stored: StoredPage,
  afterId: string,
  nextAfterId: string | null,
): Promise<Page> {
  const { totalSize, pageSize } = stored
  const queryContext = makeQueryContext(ctx, stored.deletedToo)
  const next = start + pageSize
  const read = (upTo: string, max?: number) =>
    ctx.db.rows(querySql.after(ctx.org, query, queryContext, afterId, upTo, max))
  if (nextAfterId !== null) {
    const isLast = nextAfterId === stored.lastId
    return { totalSize, rows: await read(nextAfterId), nextLocator: isLast ? undefined : `${id}-${next}` }
  }
  const found = await read(stored.lastId, pageSize + 1)
  const isLast = found.length <= pageSize
  const rows = found.slice(0, pageSize)
  const end = isLast ? stored.lastId : (rows.at(-1)![0] as string)
  const [first] = await ctx.db.query(pageSql.rememberNext(ctx.org, id, next, end))
  if (first !== undefined) return { totalSize, rows, nextLocator: isLast ? undefined : `${id}-${next}` }
  const agreed = await findPage(ctx, { id, start })
  return readKeyset(ctx, query, { id, start }, stored, afterId, agreed.nextAfterId)
}
