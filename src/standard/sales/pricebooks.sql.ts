import { type Sql, sql } from '../../base/sql.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

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

  /**
   * The entries of products in the price books of opportunities, by position from 1.
   * @param lines ids of an opportunity, of a product, and of the entry that decides the price book of an opportunity without one
   */
  entriesOf: (org: Org, lines: readonly (readonly [string, string, string | null])[]): Sql => {
    const entries = sql.id(org.schemaName, 'pricebookentry')
    const list = (index: 0 | 1 | 2) => sql`${lines.map((line) => line[index])}::text[]`
    return sql`select given.position::integer, entry.id
        from unnest(${list(0)}, ${list(1)}, ${list(2)}) with ordinality as given (opportunity, product, deciding, position)
        join ${sql.id(org.schemaName, 'opportunity')} opportunity on opportunity.id = given.opportunity
        left join ${entries} deciding on deciding.id = given.deciding
        join ${entries} entry on entry.pricebook2id = coalesce(opportunity.pricebook2id, deciding.pricebook2id)
          and entry.product2id = given.product and not entry.isdeleted`
  },

  /** The price books of entries. */
  booksOf: (org: Org, ids: readonly string[]): Sql =>
    sql`select id, pricebook2id as book from ${sql.id(org.schemaName, 'pricebookentry')} where id = any(${ids}::text[])`,

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

  /** Gives entries that follow the standard price of their product that price: of the products that these entries are of. */
  followStandardPrice: (org: Org, ids: readonly string[], { timestamp, userId }: AuditFields): Sql => {
    const entries = sql.id(org.schemaName, 'pricebookentry')
    const now = timestampSql(timestamp)
    return sql`update ${entries} entry
               set unitprice = standard.unitprice, lastmodifieddate = ${now}, lastmodifiedbyid = ${userId}, systemmodstamp = ${now}
               from ${entries} standard join ${sql.id(org.schemaName, 'pricebook2')} book on book.id = standard.pricebook2id
               where book.isstandard and not standard.isdeleted
                 and standard.product2id = any(select product2id from ${entries} where id = any(${ids}::text[]))
                 and entry.product2id = standard.product2id and entry.usestandardprice and not entry.isdeleted
                 and entry.unitprice is distinct from standard.unitprice`
  },

  /** Those of the price books that are the standard one. */
  standardAmong: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'pricebook2')} where id = any(${ids}::text[]) and isstandard`,

  /** Locks the products of entries until the transaction ends, in one order. */
  lockProductsOfEntries: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'product2')}
        where id = any(select product2id from ${sql.id(org.schemaName, 'pricebookentry')} where id = any(${ids}::text[]))
        order by id for no key update`,

  /** Locks products until the transaction ends, in one order: of the entries of one product, one is written at a time. */
  lockProducts: (org: Org, ids: readonly string[]): Sql =>
    sql`select id from ${sql.id(org.schemaName, 'product2')} where id = any(${ids}::text[]) order by id for no key update`,
}
