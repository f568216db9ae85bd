import { type Sql, sql } from '../../base/sql.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { timestampSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** An object whose lines are alike with those of the other. */
export type LineObject = 'OpportunityLineItem' | 'QuoteLineItem'

/** Fields that both lines have. */
export const PRICE_FIELDS = ['Quantity', 'UnitPrice', 'Discount'] as const
export const TEXT_FIELDS = ['ServiceDate', 'Description'] as const

const table = (org: Org, name: string) => sql.id(org.schemaName, name)

const columns = (alias: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.id(alias, name.toLowerCase())))

/** The opportunities of lines, deleted or not, as far as these are of the opportunity or of its synced quote. */
const OF_LINES: Readonly<Record<LineObject, (org: Org, ids: readonly string[]) => Sql>> = {
  OpportunityLineItem: (org, ids) =>
    sql`deal.id in (select opportunityid from ${table(org, 'opportunitylineitem')} where id = any(${ids}::text[]))`,
  QuoteLineItem: (org, ids) =>
    sql`deal.id in (select quote.opportunityid from ${table(org, 'quotelineitem')} line
                    join ${table(org, 'quote')} quote on quote.id = line.quoteid where line.id = any(${ids}::text[]))
        and deal.syncedquoteid in (select quoteid from ${table(org, 'quotelineitem')} where id = any(${ids}::text[]))`,
}

export const quoteSyncSql = {
  /** The opportunities with a synced quote that lines belong to. */
  ofLines: (org: Org, object: LineObject, ids: readonly string[]): Sql =>
    sql`select deal.id from ${table(org, 'opportunity')} deal
        where ${OF_LINES[object](org, ids)} and deal.syncedquoteid is not null and not deal.isdeleted`,

  /** Locks opportunities, and those of quotes, in one order. */
  lockOpportunities: (org: Org, ids: readonly string[], quotes: readonly string[]): Sql =>
    sql`select id from ${table(org, 'opportunity')}
        where id = any(${ids}::text[])
           or id = any(array(select opportunityid from ${table(org, 'quote')} where id = any(${quotes}::text[])))
        order by id for no key update`,

  /** Those of the quotes that belong to another opportunity than the one given for each. */
  foreign: (org: Org, opportunities: readonly string[], quotes: readonly string[]): Sql =>
    sql`select given.opportunity from unnest(${opportunities}::text[], ${quotes}::text[]) as given (opportunity, quote)
        join ${table(org, 'quote')} quote on quote.id = given.quote and not quote.isdeleted
        where quote.opportunityid <> given.opportunity`,

  /**
   * The lines of opportunities and their synced quotes that have no line on the other side, or one with other values; the values
   * are those of the source.
   * @param isStart whether the lines of the quote take the place of all lines of the opportunity
   */
  differing(org: Org, source: LineObject, opportunities: readonly string[], isStart: boolean): Sql {
    const side = source === 'QuoteLineItem' ? 'q' : 'd'
    const value = (name: string) => {
      const own = sql.id(side, name.toLowerCase())
      // A quote's line has a price.
      return sql`${name === 'UnitPrice' ? sql`coalesce(${own}, 0)` : own} as ${sql.id(name)}`
    }
    const names = ['PricebookEntryId', ...PRICE_FIELDS, ...TEXT_FIELDS]
    const differ = (fields: readonly string[]) =>
      sql`(${columns('q', fields)}) is distinct from (${columns('d', fields)})`
    // Lines without an entry have no like on a quote.
    const alone = isStart ? sql`q.id is null` : sql`(q.id is null and d.pricebookentryid is not null)`
    return sql`with synced as (select id, syncedquoteid from ${table(org, 'opportunity')}
                               where id = any(${opportunities}::text[]) and syncedquoteid is not null and not isdeleted),
               q as (select synced.id as deal, synced.syncedquoteid as quote, line.id, ${columns('line', names)},
                            case when row_number() over (partition by line.opportunitylineitemid order by line.id) = 1
                                 then line.opportunitylineitemid end as link
                     from synced join ${table(org, 'quotelineitem')} line on line.quoteid = synced.syncedquoteid and not line.isdeleted),
               d as (select synced.id as deal, synced.syncedquoteid as quote, line.id, ${columns('line', names)}
                     from synced join ${table(org, 'opportunitylineitem')} line on line.opportunityid = synced.id and not line.isdeleted)
               select coalesce(q.deal, d.deal) as deal, coalesce(q.quote, d.quote) as quote, q.id as "quoteLine", d.id as "dealLine",
                      ${differ(PRICE_FIELDS)} as "isPriced", ${sql.join(names.map(value))}
               from q full join d on d.id = q.link and d.deal = q.deal
               where d.id is null or ${alone}
                  or (q.id is not null and d.id is not null and ${differ([...PRICE_FIELDS, ...TEXT_FIELDS])})
               order by q.id, d.id`
  },

  /** Gives one side the price book of the other, before it gets lines of it. */
  followBook(
    org: Org,
    target: LineObject,
    opportunities: readonly string[],
    { timestamp }: AuditFields,
  ): Sql {
    const [own, other] = target === 'QuoteLineItem' ? ['quote', 'deal'] : ['deal', 'quote']
    const tables = { quote: table(org, 'quote'), deal: table(org, 'opportunity') } as Record<string, Sql>
    return sql`update ${tables[own!]!} ${sql.id(own!)}
               set pricebook2id = ${sql.id(other!, 'pricebook2id')}, systemmodstamp = ${timestampSql(timestamp)}
               from ${tables[other!]!} ${sql.id(other!)}
               where deal.id = any(${opportunities}::text[]) and quote.id = deal.syncedquoteid
                 and deal.pricebook2id is distinct from quote.pricebook2id`
  },

  /** Lets lines of quotes name their likes. */
  link: (org: Org, lines: readonly string[], likes: readonly string[], { timestamp }: AuditFields): Sql =>
    sql`update ${table(org, 'quotelineitem')} line
        set opportunitylineitemid = given.own, systemmodstamp = ${timestampSql(timestamp)}
        from unnest(${lines}::text[], ${likes}::text[]) as given (id, own) where line.id = given.id`,
}
