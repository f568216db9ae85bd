import type { Context } from '../../context.ts'
import { LockRetries } from '../../storage/database/lock-retries.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { RecordsRefused, type Refusals } from '../prepare/planned-record.ts'
import { lockFirst } from '../steps/plan-effects.ts'

interface ListWrite<Item> {
  /** If one item fails, none is written. */
  readonly allOrNone: boolean
  /** True if the write needs a transaction, because it is more than one statement. */
  readonly transaction: boolean
  /** Writes all items. Throws RecordsRefused when it knows which ones fail. */
  readonly write: (inside: Context, items: readonly Item[]) => Promise<unknown>
  /** Finds the items that caused a database failure; empty if none did. */
  readonly explain: (failure: unknown, items: readonly Item[]) => Promise<Refusals<Item>>
}

/**
 * Writes several records. If some fail, the write is rolled back and repeated without them.
 * @returns the refused items; with `allOrNone`, nothing was written if there are any
 */
export async function writeList<Item>(
  ctx: Context,
  all: readonly Item[],
  { allOrNone, transaction, write, explain }: ListWrite<Item>,
): Promise<Refusals<Item>> {
  const refusals: Refusals<Item> = new Map()
  let items = all
  const retries = new LockRetries(ctx)
  // Inside a transaction nothing is retried here: its owner knows what it has locked.
  const locked =
    ctx.locked ?? (ctx.nested === undefined && !ctx.db.isTransaction ? new Set<string>() : undefined)
  let isRetry = false
  const writeInside = async (inside: Context, left: readonly Item[]) => {
    retries.begin()
    // Triggers write in an order of their own: writes that wait for each other once would do so in every try. (docs/adr/0035-locks-of-retries.md)
    if (isRetry && locked !== undefined) await lockFirst(inside, [...locked])
    await write(inside, left)
  }
  const writeItems = async () => {
    if (transaction) await ctx.db.transaction((db) => writeInside({ ...ctx, db, locked }, items))
    else await ctx.db.attempt((db) => write(db === ctx.db ? ctx : { ...ctx, db }, items))
  }
  // In a nested transaction the owner of the outer one retries.
  const mayRetry = (failure: unknown) => {
    const isLocked = ctx.nested === undefined && databaseFault(failure)?.kind === 'locked'
    isRetry ||= isLocked
    return isLocked
  }
  while (items.length > 0) {
    try {
      await retries.run(writeItems, mayRetry)
      break
    } catch (failure) {
      const found = await findRefusals(failure, items, explain)
      if (found.size === 0) throw failure
      for (const [item, error] of found) refusals.set(item, error)
      if (allOrNone) break
      const left = items.filter((item) => !found.has(item))
      // Refusals of other items would be found again and again.
      if (left.length === items.length) throw failure
      items = left
    }
  }
  return refusals
}

async function findRefusals<Item>(
  failure: unknown,
  items: readonly Item[],
  explain: ListWrite<Item>['explain'],
): Promise<Refusals<Item>> {
  if (failure instanceof RecordsRefused) return failure.refusals as Refusals<Item>
  return explain(failure, items)
}
