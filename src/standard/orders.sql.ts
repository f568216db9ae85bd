import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const orderSql = {
  /** Those of the lines whose order is activated. */
  linesOfActivated: (org: Org, ids: readonly string[]): Sql =>
    sql`select item.id from ${sql.id(org.schemaName, 'orderitem')} item join ${sql.id(org.schemaName, 'order')} o on o.id = item.orderid
        where item.id = any(${ids}::text[]) and o.statuscode = 'Activated' and not o.isdeleted`,

  /** Those of the orders that have no lines. */
  withoutLines: (org: Org, ids: readonly string[]): Sql =>
    sql`select given.id from unnest(${ids}::text[]) as given (id)
        where not exists (select from ${sql.id(org.schemaName, 'orderitem')} where orderid = given.id and not isdeleted)`,

  /** Those of the orders that are activated. */
  activated: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'order')} where id = any(${ids}::text[]) and statuscode = 'Activated'`,
}
