import type { Context } from '../context.ts'
import { lockedRow } from '../storage/database/fault-error.ts'
import { LockRetries } from '../storage/database/lock-retries.ts'
import { databaseFault } from '../storage/database/pg-error.ts'

/**
 * Does work again that failed because other calls held what it needed. It must be one transaction: nothing of a failed
 * try may be left.
 * @throws ApiError UNABLE_TO_LOCK_ROW when the last try failed so too
 */
export async function retryOnLock<T>(
  ctx: Pick<Context, 'db' | 'deadline'>,
  work: () => Promise<T> | T,
): Promise<T> {
  const retries = new LockRetries(ctx)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (ctx.db.isTransaction || databaseFault(error)?.kind !== 'locked') throw error
      if (!(await retries.next())) throw lockedRow(error)
    }
  }
}
