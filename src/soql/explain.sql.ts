import { type Sql, sql } from '../base/sql.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Org } from '../storage/org.ts'

export const explainSql = {
  /** How PostgreSQL would run a statement. It is not run. */
  plan: (statement: Sql) => sql`explain (format json) ${statement}`,

  /** The cost of reading the whole table, and how many rows PostgreSQL believes it has. */
  wholeTable: (org: Org, object: ObjectType) =>
    sql`explain (format json) select 1 from ${sql.id(org.schemaName, object.table)} where not isdeleted`,
}
