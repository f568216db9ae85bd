import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { storeUncompressed } from '../../storage/uncompressed.sql.ts'

/**
 * Stores results with more than one page in two tables of the org: the query, and where each of
 * its pages starts. See `cursor.ts` for the two kinds of cursor.
 */
const cursors = (org: Org) => sql.id(org.schemaName, '_query_cursor')
const pages = (org: Org) => sql.id(org.schemaName, '_query_page')
const usage = (org: Org) => sql.id(org.schemaName, '_query_usage')

/** Lifetime of a locator. (docs/reference/api/queries.md#pages) */
const LOCATOR_LIFETIME_MS = 2 * 24 * 60 * 60 * 1000

/** A value and not an expression: a cluster carries out no insert that selects from a table what depends on the session. */
const expiresAt = (time: string) =>
  sql`${new Date(Date.parse(time) + LOCATOR_LIFETIME_MS).toISOString()}::timestamptz`

interface NewCursor {
  readonly id: string
  readonly userId: string
  readonly query: string
  readonly deletedToo: boolean
  readonly version: number
  /** `0.1`: the second child query of the first one; empty for the query itself. */
  readonly childPath: string
  readonly pageSize: number
  /** Records of the first page of a list. */
  readonly firstPageSize: number
  /** Current time, as text. */
  readonly time: string
  /** How many bytes the org's stored results may take. */
  readonly maxBytes: number
}

/** Bytes of a stored id, of a page's row, and of a cursor beside its query. */
const BYTES = { id: sql`24`, page: sql`80`, cursor: sql`200` }

/** How many bytes a result takes, about. */
const measure = ({ query, pageSize }: NewCursor, total: Sql, isList: boolean): Sql =>
  sql`(octet_length(${query}::text) + ${BYTES.cursor} + (${total} / ${pageSize}::integer + 1) * ${BYTES.page} + ${isList ? sql`${total} * ${BYTES.id}` : sql`0`})::bigint`

/** Each connection adds to a row of its own, so that queries do not wait for one another, and no two of them in opposite order. */
const USAGE_ROWS = sql`256`

const usedBytes = (org: Org) => sql`(select coalesce(sum(bytes), 0) from ${usage(org)})`

const addUsage = (org: Org, bytes: Sql) =>
  sql`insert into ${usage(org)} as known (slot, bytes) ${bytes}
      on conflict (slot) do update set bytes = known.bytes + excluded.bytes`

const insertCursor = (org: Org, cursor: NewCursor, total: Sql, lastId: Sql, isList: boolean) => {
  const { id, userId, query, deletedToo, version, childPath, pageSize, time } = cursor
  return sql`insert into ${cursors(org)} (id, user_id, query, deleted_too, version, child_path, total_size, page_size, last_id, expires_at, bytes)
      select ${id}, ${userId}, ${query}, ${deletedToo}::boolean, ${version}::integer, ${childPath}, ${total}, ${pageSize}::integer, ${lastId},
             ${expiresAt(time)}, ${measure(cursor, total, isList)}`
}

/** Adds the bytes of the new cursor, if it was stored. */
const countCursor = (org: Org) =>
  addUsage(org, sql`select pg_backend_pid() % ${USAGE_ROWS}, bytes from cursor`)

export const pageSql = {
  createTables: (org: Org): Sql[] => [
    sql`create table ${cursors(org)} (
          id text collate "C" primary key,
          user_id text collate "C" not null,
          query text not null,
          deleted_too boolean not null,
          version integer not null,
          child_path text not null,
          total_size integer not null,
          page_size integer not null,
          last_id text collate "C",
          expires_at timestamptz not null,
          bytes bigint not null)`,
    sql`create index on ${cursors(org)} (expires_at)`,
    sql`create table ${pages(org)} (
          cursor_id text collate "C" not null references ${cursors(org)} (id) on delete cascade,
          start integer not null,
          after_id text collate "C",
          ids text[],
          primary key (cursor_id, start))`,
    storeUncompressed(pages(org), 'ids'),
    sql`create table ${usage(org)} (slot integer primary key, bytes bigint not null)`,
  ],

  /** Returns a row if results were deleted. */
  deleteExpired: (org: Org, time: string) =>
    sql`with gone as (
          delete from ${cursors(org)} where expires_at < ${time}::text::timestamptz returning bytes
        )
        ${addUsage(org, sql`select pg_backend_pid() % ${USAGE_ROWS}, -sum(bytes) from gone having sum(bytes) > 0`)}
        returning slot`.forNode(),

  /**
   * Stores the ids of all matches, one row per page, in one statement and so from one snapshot. Returns no row if they would take more than
   * the org may store; where that much is stored already it does not look for them.
   */
  openList: (org: Org, cursor: NewCursor, matches: Sql) =>
    sql`with matched as (
          select id, row_number() over () - 1 as position from (${matches}) ordered
          where ${usedBytes(org)} < ${cursor.maxBytes}::bigint
        ), placed as (
          select id, position, case when position < ${cursor.firstPageSize}::integer then 0
                 else position - (position - ${cursor.firstPageSize}::integer) % ${cursor.pageSize}::integer end as start from matched
        ), cursor as (
          ${insertCursor(org, cursor, sql`count(*)`, sql`null::text`, true)} from matched
          having ${usedBytes(org)} + ${measure(cursor, sql`count(*)`, true)} <= ${cursor.maxBytes}::bigint returning total_size, bytes
        ), page as (
          insert into ${pages(org)} (cursor_id, start, ids)
          select ${cursor.id}, start, array_agg(id order by position) from placed where exists (select from cursor) group by start
        ), counted as (
          ${countCursor(org)}
        )
        select total_size as "totalSize" from cursor`.forNode(),

  /**
   * Stores a keyset cursor: the query, where its second page starts and its last one ends.
   * Returns no row if the org may store no more.
   * @param lastId of the result; null if it has no records any more: then it ends at `afterId`
   */
  openKeyset: (org: Org, cursor: NewCursor, total: number, lastId: string | null, afterId: string) => {
    const totalSize = sql`${total}::integer`
    return sql`with cursor as (
          ${insertCursor(org, cursor, totalSize, sql`${lastId ?? afterId}`, false)}
          where ${usedBytes(org)} + ${measure(cursor, totalSize, false)} <= ${cursor.maxBytes}::bigint returning total_size, bytes
        ), page as (
          insert into ${pages(org)} (cursor_id, start, after_id)
          select ${cursor.id}, ${cursor.pageSize}::integer, ${afterId} from cursor
        ), counted as (
          ${countCursor(org)}
        )
        select total_size as "totalSize" from cursor`.forNode()
  },

  /** A page with its cursor; `length` is that of a list, `nextAfterId` is set once the page has been read. */
  find: (org: Org, cursorId: string, start: number) =>
    sql`select cursor.user_id as "userId", cursor.query, cursor.deleted_too as "deletedToo",
               cursor.version, cursor.child_path as "childPath", cursor.total_size as "totalSize",
               cursor.page_size as "pageSize", extract(epoch from cursor.expires_at)::float8 as "expiresAt",
               cardinality(page.ids) as length, page.after_id as "afterId", next.after_id as "nextAfterId", cursor.last_id as "lastId"
        from ${cursors(org)} cursor
        join ${pages(org)} page on page.cursor_id = cursor.id and page.start = ${start}::integer
        left join ${pages(org)} next on next.cursor_id = cursor.id and next.start = page.start + cursor.page_size
        where cursor.id = ${cursorId}`,

  ids: (org: Org, cursorId: string, start: number) =>
    sql`select ids from ${pages(org)} where cursor_id = ${cursorId} and start = ${start}::integer`,

  /** Stores that the records of a list behind `lastId` have a page of their own, which ends where this one did. Returns where it starts. */
  splitPage: (org: Org, cursorId: string, start: number, lastId: string) =>
    sql`insert into ${pages(org)} (cursor_id, start, ids)
        select cursor_id, start + array_position(ids, ${lastId}::text), ids[array_position(ids, ${lastId}::text) + 1:]
        from ${pages(org)} where cursor_id = ${cursorId} and start = ${start}::integer
        on conflict (cursor_id, start) do update set ids = excluded.ids returning start`.forNode(),

  /** Stores where the next page starts; after the last id if none follows. Returns no row if another reader was first. */
  storeNext: (org: Org, cursorId: string, start: number, afterId: string) =>
    sql`insert into ${pages(org)} (cursor_id, start, after_id)
        values (${cursorId}, ${start}::integer, ${afterId}) on conflict do nothing returning start`.forNode(),
}
