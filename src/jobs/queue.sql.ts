import { sql } from '../base/sql.ts'

export const queueSql = {
  /** Whether any process has ever used the queue. */
  isThere: (schema: string) => sql`select to_regclass(${`${schema}.job`}) is not null as "isThere"`,

  /** Deletes the work of an org that has not begun. */
  takeBack: (schema: string, queue: string, orgId: string) =>
    sql`delete from ${sql.id(schema, 'job')}
        where name = ${queue} and state < 'active' and data ->> 'orgId' = ${orgId}`,
}
