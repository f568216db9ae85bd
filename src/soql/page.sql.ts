import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/org.ts'

/**
 * What is remembered of a result that has more than one page, in two tables of the org: the query, and where each of
 * its pages starts. See `page.ts` for the two ways in which a page is remembered.
 */
const cursors = (org: Org) => sql.id(org.schemaName, '_query_cursor')
const pages = (org: Org) => sql.id(org.schemaName, '_query_page')

export const pageSql = {
  createTables: (org: Org): Sql[] => [
    sql`create table ${cursors(org)} (
          id text collate "C" primary key,
          user_id text collate "C" not null,
          query text not null,
          total_size integer not null,
          page_size integer not null,
          expires_at timestamptz not null)`,
    sql`create index on ${cursors(org)} (expires_at)`,
    sql`create table ${pages(org)} (
          cursor_id text collate "C" not null references ${cursors(org)} (id) on delete cascade,
          start integer not null,
          after_id text collate "C",
          ids text[],
          primary key (cursor_id, start))`,
    sql`alter table ${pages(org)} alter column ids set storage external`,
  ],
}
