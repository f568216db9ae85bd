import { only } from '../access/row-rules.sql.ts'
import { type Sql, sql } from '../base/sql.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Org } from '../storage/org.ts'
import type { Asking } from './asking.ts'

export const explainSql = {
  /** How PostgreSQL would run a statement. It is not run. */
  plan: (statement: Sql) => sql`explain (format json) ${statement}`,

  /** The cost of reading the whole table, and how many rows PostgreSQL believes it has. */
  wholeTable: (org: Org, object: ObjectType) =>
    sql`explain (format json) select 1 from ${sql.id(org.schemaName, object.table)} where not isdeleted`,

  /** How many rows a statement gives. It is run. */
  rows: (statement: Sql) => sql`select count(*) as total from (${statement}) counted`,

  /** How many records of an object are visible, counted up to a bound. */
  visibleRecords: (org: Org, object: ObjectType, asking: Asking, most: number) =>
    sql`select count(*) as total from (
          select 1 from ${sql.id(org.schemaName, object.table)} t
          where not isdeleted ${only(asking.visibleRows(object, 't'))} limit ${sql.raw(String(most))}) counted`,
}
