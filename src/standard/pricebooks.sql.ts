import { type Sql, sql } from '../base/sql.ts'
import type { AuditFields } from '../schema/objects/audit-fields.sql.ts'
import { timestampSql } from '../storage/database/timestamp.sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const pricebookSql = {
  /**
   * Gives opportunities without a price book that of an entry.
   * @param pairs ids of an opportunity and of the entry
   */
  assign: (org: Org, pairs: readonly (readonly [string, string])[]): Sql =>
    sql`update ${sql.id(org.schemaName, 'opportunity')} opportunity set pricebook2id = entry.pricebook2id
        from unnest(${pairs.map(([id]) => id)}::text[], ${pairs.map(([, id]) => id)}::text[]) as given (opportunity, entry)
        join ${sql.id(org.schemaName, 'pricebookentry')} entry on entry.id = given.entry
        where opportunity.id = given.opportunity and opportunity.pricebook2id is null`,

  /** For new entries, by position from 1: whether there is one of the book and product, and one of the product in the standard book. */
  refused: (org: Org, pairs: readonly (readonly [string, string])[]): Sql => {
    const entries = sql.id(org.schemaName, 'pricebookentry')
    return sql`select given.position::integer,
                      exists (select from ${entries} where pricebook2id = given.book and product2id = given.product and not isdeleted) as taken,
                      book.isstandard as "isStandard",
                      exists (
                        select from ${entries} entry join ${sql.id(org.schemaName, 'pricebook2')} standard on standard.id = entry.pricebook2id
                        where standard.isstandard and entry.product2id = given.product and not entry.isdeleted) as "hasStandard"
               from unnest(${pairs.map(([id]) => id)}::text[], ${pairs.map(([, id]) => id)}::text[]) with ordinality as given (book, product, position)
               join ${sql.id(org.schemaName, 'pricebook2')} book on book.id = given.book`
  },

  /** Gives the entries of products their names and codes, where they have others. */
  nameEntries: (org: Org, products: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${sql.id(org.schemaName, 'pricebookentry')} entry
        set name = product.name, productcode = product.productcode, systemmodstamp = ${timestampSql(timestamp)}
        from ${sql.id(org.schemaName, 'product2')} product
        where product.id = any(${products}::text[]) and entry.product2id = product.id
          and (entry.name, entry.productcode) is distinct from (product.name, product.productcode)`,

  /** Locks products until the transaction ends, in one order: of the entries of one product, one is written at a time. */
  lockProducts: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'product2')} where id = any(${ids}::text[]) order by id for no key update`,
}
