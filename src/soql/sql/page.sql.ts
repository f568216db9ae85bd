import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/**
 * Stores results with more than one page in two tables of the org: the query, and where each of
 * its pages starts. See `cursor.ts` for the two kinds of cursor.
 */
const cursors = (org: Org) => sql.id(org.schemaName, '_query_cursor')
const pages = (org: Org) => sql.id(org.schemaName, '_query_page')

/** Lifetime of a locator. (docs/reference/api/queries.md#pages) */
const LOCATOR_LIFETIME = sql`interval '2 days'`

interface NewCursor {
  readonly id: string
  readonly userId: string
  readonly query: string
  readonly deletedToo: boolean
  readonly version: number
  /** `0.1`: the second child query of the first one; empty for the query itself. */
  readonly childPath: string
  readonly pageSize: number
  /** Current time, as text. */
  readonly time: string
}

const insertCursor = (
  org: Org,
  { id, userId, query, deletedToo, version, childPath, pageSize, time }: NewCursor,
  total: Sql,
  lastId: Sql,
) =>
  sql`insert into ${cursors(org)} (id, user_id, query, deleted_too, version, child_path, total_size, page_size, last_id, expires_at)
      select ${id}, ${userId}, ${query}, ${deletedToo}::boolean, ${version}::integer, ${childPath}, ${total}, ${pageSize}::integer, ${lastId},
             ${time}::text::timestamptz + ${LOCATOR_LIFETIME}`

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
          expires_at timestamptz not null)`,
    sql`create index on ${cursors(org)} (expires_at)`,
    sql`create table ${pages(org)} (
          cursor_id text collate "C" not null references ${cursors(org)} (id) on delete cascade,
          start integer not null,
          after_id text collate "C",
          ids text[],
          primary key (cursor_id, start))`,
    // Compression of ids costs more time than it saves.
    sql`alter table ${pages(org)} alter column ids set storage external`,
  ],

  deleteExpired: (org: Org, time: string) =>
    sql`delete from ${cursors(org)} where expires_at < ${time}::text::timestamptz`,

  /** Stores the ids of all matches, one row per page, in one statement and so from one snapshot. */
  openList: (org: Org, cursor: NewCursor, matches: Sql) =>
    sql`with matched as (
          select id, row_number() over () - 1 as position from (${matches}) ordered
        ), placed as (
          select id, position, position - position % ${cursor.pageSize}::integer as start from matched
        ), cursor as (
          ${insertCursor(org, cursor, sql`count(*)`, sql`null::text`)} from matched returning total_size
        ), page as (
          insert into ${pages(org)} (cursor_id, start, ids)
          select ${cursor.id}, start, array_agg(id order by position) from placed group by start
        )
        select total_size as "totalSize" from cursor`,

  /**
   * Stores a keyset cursor: the query, where its second page starts and its last one ends.
   * @param extent selects `total` and `last_id` of the result; without records any more, it ends at `afterId`
   */
  openKeyset: (org: Org, cursor: NewCursor, extent: Sql, afterId: string) =>
    sql`with extent as materialized (${extent}), cursor as (
          ${insertCursor(org, cursor, sql`total`, sql`coalesce(last_id, ${afterId}::text)`)} from extent returning total_size
        ), page as (
          insert into ${pages(org)} (cursor_id, start, after_id)
          values (${cursor.id}, ${cursor.pageSize}::integer, ${afterId})
        )
        select total_size as "totalSize" from cursor`,

  /** A page with its cursor; `nextAfterId` is set once the page has been read. */
  find: (org: Org, cursorId: string, start: number) =>
    sql`select cursor.user_id as "userId", cursor.query, cursor.deleted_too as "deletedToo",
               cursor.version, cursor.child_path as "childPath", cursor.total_size as "totalSize",
               cursor.page_size as "pageSize", extract(epoch from cursor.expires_at)::float8 as "expiresAt",
               page.after_id as "afterId", next.after_id as "nextAfterId", cursor.last_id as "lastId"
        from ${cursors(org)} cursor
        join ${pages(org)} page on page.cursor_id = cursor.id and page.start = ${start}::integer
        left join ${pages(org)} next on next.cursor_id = cursor.id and next.start = page.start + cursor.page_size
        where cursor.id = ${cursorId}`,

  ids: (org: Org, cursorId: string, start: number) =>
    sql`select ids from ${pages(org)} where cursor_id = ${cursorId} and start = ${start}::integer`,

  /** Stores where the next page starts; after the last id if none follows. Returns no row if another reader was first. */
  storeNext: (org: Org, cursorId: string, start: number, afterId: string) =>
    sql`insert into ${pages(org)} (cursor_id, start, after_id)
        values (${cursorId}, ${start}::integer, ${afterId}) on conflict do nothing returning start`,
}
