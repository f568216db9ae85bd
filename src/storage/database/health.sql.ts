import { sql } from '../../base/sql.ts'

export const healthSql = {
  ping: sql`select 1 as alive`,
  /** Fails where less than a megabyte is free: so much does not fit into the smallest working memory, and is written to a file. */
  takeSpace: sql`with filler as materialized (select repeat('x', 8192) as text from generate_series(1, 128))
                 select count(*) from filler`,
  isReadOnly: sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
}
