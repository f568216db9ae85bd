import type { ApiError } from '../../base/api-error.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { getText, integrityError, type Write, type WrittenRecord } from '../behaviour/behaviour.ts'
import { type LineObject, PRICE_FIELDS, quoteSyncSql, TEXT_FIELDS } from './quote-sync.sql.ts'

/*
 * The lines of an opportunity and of its synced quote are alike: what is written to one side is written to the other one, in the
 * same transaction. Each side's lines are found and compared under the lock of the opportunity.
 */

/** Fields whose change on one side changes the other side. */
export const MIRRORED: readonly string[] = [...PRICE_FIELDS, ...TEXT_FIELDS]

/** A line that differs from the other side: without a line there, without one here, or with other values. */
interface Difference {
  readonly deal: string
  readonly quote: string
  readonly quoteLine: string | null
  readonly dealLine: string | null
  /** True if numbers differ that prices follow from. They are written together, as none of them alone says what to derive. */
  readonly isPriced: boolean
  readonly [field: string]: ColumnValue
}

const pick = (line: Difference, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, line[name]!]))

/** Makes the lines of the other side those of this one. */
async function mirror(
  write: Write,
  source: LineObject,
  opportunities: readonly string[],
  isStart = false,
): Promise<void> {
  const { db, org, audit } = write
  if (opportunities.length === 0) return
  const isFromQuote = source === 'QuoteLineItem'
  const target = isFromQuote ? 'OpportunityLineItem' : 'QuoteLineItem'
  const lines = await db.query<Difference>(quoteSyncSql.differing(org, source, opportunities, isStart))
  const here = (line: Difference) => (isFromQuote ? line.quoteLine : line.dealLine)
  const there = (line: Difference) => (isFromQuote ? line.dealLine : line.quoteLine)
  const gone = lines.filter((line) => here(line) === null)
  await write.remove(
    target,
    gone.map((line) => there(line)!),
  )
  const changed = lines.filter((line) => here(line) !== null && there(line) !== null)
  await write.change(
    target,
    changed.map((line) => ({
      id: there(line)!,
      values: pick(line, line.isPriced ? MIRRORED : TEXT_FIELDS),
    })),
  )
  const added = lines.filter((line) => there(line) === null)
  if (added.length === 0) return
  await db.query(quoteSyncSql.followBook(org, target, [...new Set(added.map(({ deal }) => deal))], audit))
  const ids = await write.insert(
    target,
    added.map((line) => ({
      ...(isFromQuote
        ? { OpportunityId: line.deal }
        : { QuoteId: line.quote, OpportunityLineItemId: line.dealLine }),
      ...pick(line, ['PricebookEntryId', ...MIRRORED]),
    })),
  )
  if (!isFromQuote) return
  const quoteLines = added.map(({ quoteLine }) => quoteLine!)
  await db.query(quoteSyncSql.link(org, quoteLines, ids, audit))
}

/** Writes what happened to lines to the other side, where it is synced. */
export async function mirrorLines(write: Write, ids: readonly string[]): Promise<void> {
  const source = write.object.name as LineObject
  const deals = await write.db.query<{ id: string }>(quoteSyncSql.ofLines(write.org, source, ids))
  await mirror(
    write,
    source,
    deals.map(({ id }) => id),
  )
}

/** Replaces the lines of opportunities by those of their synced quotes. */
export const startSync = (write: Write, ids: readonly string[]): Promise<void> =>
  mirror(write, 'QuoteLineItem', ids, true)

export const foreignQuote = (): ApiError =>
  integrityError('Synced Quote must be a child of the opportunity', 'SyncedQuoteId')

/** Refuses opportunities that would sync a quote of another one. Locks them before their quotes. */
export async function refuseForeignQuotes<R extends WrittenRecord>(
  { db, org, object }: Write,
  records: readonly R[],
): Promise<ReadonlyMap<R, ApiError>> {
  const syncing = records.flatMap((record) => {
    const quote = getText(object, record.values, 'SyncedQuoteId')
    return quote === undefined ? [] : [{ record, quote }]
  })
  if (syncing.length === 0) return new Map()
  const ids = syncing.map(({ record }) => record.id)
  await db.query(quoteSyncSql.lockOpportunities(org, ids, []))
  const quotes = syncing.map(({ quote }) => quote)
  const found = await db.query<{ opportunity: string }>(quoteSyncSql.foreign(org, ids, quotes))
  const foreign = new Set(found.map(({ opportunity }) => opportunity))
  return new Map(
    syncing.flatMap(({ record }) => (foreign.has(record.id) ? [[record, foreignQuote()] as const] : [])),
  )
}
