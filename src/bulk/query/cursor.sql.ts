import { type Sql, sql } from '../../base/sql.ts'

export const cursorSql = {
  /** Opens a cursor, whose snapshot all of its rows are of. */
  open: (statement: Sql) => sql`declare bulk_rows no scroll cursor for ${statement}`.replanned(),

  /** Each cursor has other columns, so the statement is never prepared. */
  fetch: (count: number) => sql.raw(`fetch ${BigInt(count)} from bulk_rows`).replanned(),
}
