import { ApiError } from '../../base/api-error.ts'
import { secondsText } from '../../base/clock.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { ReadRows } from '../../quota/answer-bytes.ts'
import type { Row } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { loadQueryContext } from '../analyze/load-query-context.ts'
import { makeQueryContext } from '../analyze/query-context.ts'
import type { RecordPlan } from '../plan/plan.ts'
import { pageSql } from '../sql/page.sql.ts'
import {
  CHILD_PAGE_SIZE,
  type FormattedChildren,
  type FormattedPlan,
  querySql,
} from '../sql/statement.sql.ts'
import { rowsTogether } from '../together/rows-together.ts'

/**
 * Results with more than one page. Guarantees: every record that matched at query time and still exists appears on
 * exactly one page, whatever is written between the pages; any process serves any page; no transaction stays open;
 * page N costs as much as page 1.
 *
 * There are two kinds of cursor. A query without conditions or limit, ordered by id, uses a keyset: a page is the range
 * between two ids, and ids never change. Any other query could lose or repeat records whose values change, or (with a
 * limit) replace them by new records with lower ids, because each process has its own block of ids. So one statement
 * stores the ids of all its matches, one row per page.
 */

/** Key prefixes of locators: each API gives out its own, and takes no others. */
export const LOCATORS = { data: '0r8', tooling: '0r9' } as const

export type LocatorPrefix = (typeof LOCATORS)[keyof typeof LOCATORS]

/** One page of rows, and the locator of the next one. */
export interface Page {
  readonly totalSize: number
  readonly rows: readonly Row[]
  /** `<id>-<start>`; undefined on the last page. */
  readonly nextLocator: string | undefined
}

interface StoredPage extends Omit<QueryRequest, 'locators'> {
  readonly userId: string
  /** Major API version of the query's request: the meaning of the query depends on it. */
  readonly version: number
  /** Path to the child query whose results these are; empty for the query itself. */
  readonly childPath: readonly number[]
  readonly totalSize: number
  /** How many ids a list has for the page; null for a keyset. */
  readonly length: number | null
  /** Seconds since 1970. */
  readonly expiresAt: number
  /** Keyset: the page has the records after this id. Null for a list of ids. */
  readonly afterId: string | null
  readonly nextAfterId: string | null
  /** Keyset: the last id of the result at query time; later records are not part of it. */
  readonly lastId: string
}

/** The request of a query, stored so that any process can load its other pages. */
export interface QueryRequest {
  readonly query: string
  readonly deletedToo: boolean
  /** Maximum number of records on a page; the first page of children may have fewer. */
  readonly pageSize: number
  readonly locators: LocatorPrefix
}

/** (docs/reference/api/queries.md#pages) */
const storageError = () =>
  new ApiError(
    'STORAGE_LIMIT_EXCEEDED',
    'storage limit exceeded: the results that the org keeps for further pages take all of their storage. Add a LIMIT, or query again when older results have expired',
  )

const invalidLocatorError = () => new ApiError('INVALID_QUERY_LOCATOR', 'invalid query locator')

/** True if the result is ordered by id and no values that may change select its records. */
export function isOrderedById({ filter, limit, orderings, sources: [root] }: RecordPlan): boolean {
  const byId = orderings.every(
    ({ operand, descending }) =>
      operand.kind === 'field' && operand.source === root && operand.field.name === 'Id' && !descending,
  )
  return filter === undefined && limit === undefined && byId
}

/** True if the answer has this one list of records: the call is no step of another one, and the records have no children. */
export const isOnlyRead = ({ nested }: Context, { children }: Pick<FormattedPlan, 'children'>) =>
  nested === undefined && children.length === 0

/** Opens a cursor and returns its first page. `read` has the first rows of the result: one more than a page, or fewer if they are large. */
export async function openCursor(
  ctx: Context,
  query: FormattedPlan,
  requested: QueryRequest,
  read: ReadRows,
): Promise<Page> {
  const time = secondsText(ctx.clock())
  const { pageSize, locators } = requested
  const id = await ctx.ids.make(locators, ctx.db)
  const cursor = { ...makeCursor(ctx, requested), firstPageSize: pageSize, id, time, childPath: '' }
  const queryContext = makeQueryContext(ctx, requested.deletedToo)
  await sweepExpired(ctx, time)
  if (isOrderedById(query.plan)) {
    const page = read.rows.slice(0, pageSize)
    const afterId = page.at(-1)![0] as string
    const [extent] = await rowsTogether(ctx, querySql.extent(ctx.org, query.plan, queryContext))
    const [total, lastId] = extent as readonly [number, string | null]
    const totalSize = await store(ctx, time, pageSql.openKeyset(ctx.org, cursor, total, lastId, afterId))
    return { totalSize, rows: page, nextLocator: `${id}-${pageSize}` }
  }
  const matches = querySql.matches(ctx.org, query.plan, queryContext)
  const totalSize = await store(ctx, time, pageSql.openList(ctx.org, cursor, matches))
  // The page is read again by the ids that are stored.
  ctx.answer.putBack(read)
  return readListed(ctx, query, requested, { id, start: 0 }, totalSize, pageSize)
}

/** Interval of deleting expired cursors, in milliseconds. They are refused as soon as they have expired. */
const SWEEP_MS = 60_000

const sweptAt = new WeakMap<Org, number>()

async function sweepExpired({ db, org }: Context, time: string): Promise<void> {
  const now = performance.now()
  const last = sweptAt.get(org)
  if (last !== undefined && now - last < SWEEP_MS) return
  sweptAt.set(org, now)
  await db.query(pageSql.deleteExpired(org, time))
}

/**
 * Stores a result and returns its size. A result that has not expired is never deleted for another one.
 * @throws ApiError STORAGE_LIMIT_EXCEEDED
 */
async function store({ db, org }: Context, time: string, statement: Sql): Promise<number> {
  const [opened] = await db.query<{ totalSize: number }>(statement)
  if (opened !== undefined) return opened.totalSize
  const [freed] = await db.query(pageSql.deleteExpired(org, time))
  const [second] = freed === undefined ? [] : await db.query<{ totalSize: number }>(statement)
  if (second === undefined) throw storageError()
  return second.totalSize
}

const makeCursor = (ctx: Context, { query, deletedToo, pageSize }: QueryRequest) => ({
  userId: ctx.principal.userId,
  query,
  deletedToo,
  version: ctx.version.major,
  pageSize,
  maxBytes: ctx.settings.resultStorageMegabytes * 1024 ** 2,
})

/** Opens a cursor for the children of one record and returns its first page. */
export async function openChildCursor(
  ctx: Context,
  child: FormattedChildren,
  requested: QueryRequest,
  path: readonly number[],
  parentId: string,
): Promise<Page> {
  const id = await ctx.ids.make(requested.locators, ctx.db)
  const time = secondsText(ctx.clock())
  const childPath = path.join('.')
  const cursor = { ...makeCursor(ctx, requested), firstPageSize: CHILD_PAGE_SIZE, id, time, childPath }
  const queryContext = makeQueryContext(ctx, requested.deletedToo)
  const matches = querySql.childMatches(ctx.org, child.plan, queryContext, parentId)
  const totalSize = await store(ctx, time, pageSql.openList(ctx.org, cursor, matches))
  return readListed(ctx, child, requested, { id, start: 0 }, totalSize, CHILD_PAGE_SIZE)
}

interface Locator {
  readonly id: string
  readonly start: number
}

export function parseLocator(text: string, prefix: LocatorPrefix): Locator {
  const match = /^([A-Za-z0-9]{18})-(\d{1,9})$/.exec(text)
  if (match === null || !text.startsWith(prefix)) throw invalidLocatorError()
  return { id: match[1]!, start: Number(match[2]) }
}

/** Loads the page of a locator. Rejects locators that have expired or belong to other users. */
export async function findPage(ctx: Context, locator: Locator): Promise<StoredPage> {
  type PageRow = Omit<StoredPage, 'childPath'> & { childPath: string }
  const [page] = await ctx.db.query<PageRow>(pageSql.find(ctx.org, locator.id, locator.start))
  const expired = page === undefined || page.expiresAt * 1000 <= ctx.clock().getTime()
  if (expired || page.userId !== ctx.principal.userId) throw invalidLocatorError()
  const childPath = page.childPath === '' ? [] : page.childPath.split('.').map(Number)
  return { ...page, childPath }
}

/** Reads a page after the first. */
export function readPage(
  ctx: Context,
  query: FormattedPlan,
  locator: Locator,
  stored: StoredPage,
): Promise<Page> {
  return stored.afterId === null
    ? readListed(ctx, query, stored, locator, stored.totalSize, stored.length!)
    : readKeyset(ctx, query, locator, stored, stored.afterId, stored.nextAfterId)
}

/** Puts the records that a page had no place for on a page of their own, and returns where it starts. */
async function splitPage(
  { db, org }: Context,
  { id, start }: Locator,
  rows: readonly Row[],
): Promise<number> {
  const lastId = rows.at(-1)![0] as string
  const [rest] = await db.query<{ start: number }>(pageSql.splitPage(org, id, start, lastId))
  return rest!.start
}

async function readListed(
  ctx: Context,
  query: FormattedPlan,
  { deletedToo }: Pick<QueryRequest, 'deletedToo'>,
  { id, start }: Locator,
  totalSize: number,
  length: number,
): Promise<Page> {
  const ids = pageSql.ids(ctx.org, id, start)
  const queryContext = await loadQueryContext(ctx, query.plan, deletedToo)
  const { rows, isCut } = await ctx.answer.rows({
    db: ctx.db,
    statement: querySql.listed(ctx.org, query, queryContext, ids),
    width: query.format.width,
    max: length,
    isOnly: isOnlyRead(ctx, query),
  })
  const next = isCut ? await splitPage(ctx, { id, start }, rows) : start + length
  return { totalSize, rows, nextLocator: next < totalSize ? `${id}-${next}` : undefined }
}

/**
 * The first read of a page fixes where the next one starts, or that none follows. Another read of it ends
 * at the same id, whatever was inserted or deleted since.
 */
async function readKeyset(
  ctx: Context,
  query: FormattedPlan,
  { id, start }: Locator,
  stored: StoredPage,
  afterId: string,
  nextAfterId: string | null,
): Promise<Page> {
  const { totalSize, pageSize } = stored
  const queryContext = await loadQueryContext(ctx, query.plan, stored.deletedToo)
  const next = start + pageSize
  const read = (upTo: string, max?: number) =>
    ctx.answer.rows({
      db: ctx.db,
      statement: querySql.after(ctx.org, query, queryContext, afterId, upTo, max),
      width: query.format.width,
      max: pageSize + 1,
      isOnly: isOnlyRead(ctx, query),
    })
  if (nextAfterId !== null) {
    const isLast = nextAfterId === stored.lastId
    const { rows, isCut } = await read(nextAfterId)
    // The page ends where it did when it was read first. Its records have become larger since.
    if (isCut) throw ctx.answer.tooLarge()
    return { totalSize, rows, nextLocator: isLast ? undefined : `${id}-${next}` }
  }
  const found = await read(stored.lastId, pageSize + 1)
  const isLast = found.rows.length <= pageSize && !found.isCut
  const rows = found.rows.slice(0, pageSize)
  const end = isLast ? stored.lastId : (rows.at(-1)![0] as string)
  const [first] = await ctx.db.query(pageSql.storeNext(ctx.org, id, next, end))
  if (first !== undefined) return { totalSize, rows, nextLocator: isLast ? undefined : `${id}-${next}` }
  const current = await findPage(ctx, { id, start })
  return readKeyset(ctx, query, { id, start }, stored, afterId, current.nextAfterId)
}
