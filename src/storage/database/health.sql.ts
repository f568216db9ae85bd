import { sql } from '../../base/sql.ts'

export const healthSql = {
  ping: sql`select 1 as alive`,
  isReadOnly: sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
}
