import { only } from '../../access/row-rules.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'

export const explainSql = {
  /** How PostgreSQL would run a statement, without running it. */
  plan: (statement: Sql) => sql`explain (format json) ${statement}`,

  /** Reads the whole table: its plan has the cost of that, and PostgreSQL's estimate of its rows. */
  wholeTable: (org: Org, object: ObjectType) =>
    sql`select 1 from ${records(org, object)} where not isdeleted`,

  /** How many rows a statement returns. Runs it. */
  rows: (statement: Sql) => sql`select count(*) as total from (${statement}) counted`,

  /** How many records of an object are visible, counted up to a maximum. */
  visibleRecords: (org: Org, object: ObjectType, queryContext: QueryContext, max: number) =>
    sql`select count(*) as total from (
          select 1 from ${records(org, object, 't')}
          where not isdeleted ${only(queryContext.visibleRows(object, 't'))} limit ${sql.raw(String(max))}) counted`,
}
