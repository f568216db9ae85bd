import { sql } from '../base/sql.ts'

export const queueSql = {
  /** Whether any process has ever used the queue. */
  isThere: (schema: string) => sql`select to_regclass(${`${schema}.job`}) is not null as "isThere"`,
}
