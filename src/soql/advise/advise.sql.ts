import { type Sql, sql, written } from '../../base/sql.ts'

/** Name of the statement that is planned; within a transaction. */
const NAME = 'objectry_advised'

export const adviseSql = {
  /** A try waits for no lock for long, and ends in any case. It plans as if the values of a query were not known. */
  limits: [
    sql`set local lock_timeout = 1000`,
    sql`set local statement_timeout = 10000`,
    sql`set local plan_cache_mode = force_generic_plan`,
  ],

  prepare: ({ text }: Sql): Sql => written(`prepare ${NAME} as ${text}`, []),

  /** @param count of the statement's values, none of which matters */
  explain: (count: number): Sql =>
    sql.raw(
      `explain (format json) execute ${NAME}${count === 0 ? '' : `(${Array(count).fill('null').join(', ')})`}`,
    ),

  deallocate: sql.raw(`deallocate ${NAME}`),

  analyze: (schemaName: string, table: string): Sql => sql`analyze ${sql.id(schemaName, table)}`,
}
