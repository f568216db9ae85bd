import type { Context } from '../../context.ts'
import { LockRetries } from '../../storage/database/lock-retries.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { RecordsRefused, type Refusals } from '../prepare/planned-record.ts'

interface ListWrite<Item> {
  /** The others are not written either when one fails. */
  readonly allOrNone: boolean
  /** More than one statement. */
  readonly transaction: boolean
  /** Writes the items, all of them. Throws RecordsRefused when it knows which ones fail. */
  readonly write: (inside: Context, items: readonly Item[]) => Promise<unknown>
  /** Whose fault a failure of the database was; nothing when it is nobody's. */
  readonly explain: (failure: unknown, items: readonly Item[]) => Promise<Refusals<Item>>
}

/**
 * Carries out a write of several records. What turns out to fail is taken out, and the others are written again without
 * it, so that the outcome is the same as if it had never been there.
 * @returns the refused ones; with `allOrNone`, nothing was written if there are any
 */
export async function writeList<Item>(
  ctx: Context,
  all: readonly Item[],
  { allOrNone, transaction, write, explain }: ListWrite<Item>,
): Promise<Refusals<Item>> {
  const refusals: Refusals<Item> = new Map()
  let items = all
  const retries = new LockRetries(ctx)
  while (items.length > 0) {
    try {
      const left = items
      if (transaction) await ctx.db.transaction((db) => write({ ...ctx, db }, left))
      else await ctx.db.attempt((db) => write({ ...ctx, db }, left))
      break
    } catch (failure) {
      const found = await refusalsIn(failure, items, explain)
      if (found.size === 0) {
        // Whoever opened the transaction around this one tries again as a whole.
        const mayRetry = ctx.nested === undefined && databaseFault(failure)?.kind === 'locked'
        if (!mayRetry || !(await retries.next())) throw failure
        continue
      }
      for (const [item, error] of found) refusals.set(item, error)
      if (allOrNone) break
      items = items.filter((item) => !found.has(item))
    }
  }
  return refusals
}

async function refusalsIn<Item>(
  failure: unknown,
  items: readonly Item[],
  explain: ListWrite<Item>['explain'],
): Promise<Refusals<Item>> {
  if (failure instanceof RecordsRefused) return failure.refusals as Refusals<Item>
  return explain(failure, items)
}
