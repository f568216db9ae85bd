import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Values of an order that follow from its lines. Days are texts. */
export interface OrderLines {
  readonly id: string
  readonly count: number
  /** The price book of the order: that of its lines. */
  readonly book: string | null
  readonly begins: string | null
  readonly ends: string | null
}

export const orderSql = {
  /** Those of the lines whose order is activated. */
  linesOfActivated: (org: Org, ids: readonly string[]): Sql =>
    sql`select item.id from ${sql.id(org.schemaName, 'orderitem')} item join ${sql.id(org.schemaName, 'order')} o on o.id = item.orderid
        where item.id = any(${ids}::text[]) and o.statuscode = 'Activated' and not o.isdeleted`,

  /** Of each order how many lines it has, from when and until when these are, and its price book. */
  lines: (org: Org, ids: readonly string[]): Sql =>
    sql`select o.id, count(item.id)::integer as count, o.pricebook2id as book,
               min(item.servicedate)::text as begins, max(item.enddate)::text as ends
        from ${sql.id(org.schemaName, 'order')} o
        left join ${sql.id(org.schemaName, 'orderitem')} item on item.orderid = o.id and not item.isdeleted
        where o.id = any(${ids}::text[]) group by o.id`,
}

export const activationSql = {
  /** Those of the contracts or orders that are activated. */
  activated: (org: Org, table: 'contract' | 'order', ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, table)} where id = any(${ids}::text[]) and statuscode = 'Activated'`,
}
