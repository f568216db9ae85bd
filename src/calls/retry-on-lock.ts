import type { Context } from '../context.ts'
import { lockedRow } from '../storage/database/fault-error.ts'
import { LockRetries } from '../storage/database/lock-retries.ts'
import { databaseFault } from '../storage/database/pg-error.ts'

/**
 * Retries work that failed on a lock conflict. The work must be one transaction, so that a failed try leaves nothing.
 * @throws ApiError UNABLE_TO_LOCK_ROW when the last try failed so too
 */
export async function retryOnLock<T>(
  ctx: Pick<Context, 'db' | 'deadline'>,
  work: () => Promise<T> | T,
): Promise<T> {
  try {
    return await new LockRetries(ctx).run(work)
  } catch (error) {
    throw ctx.db.isTransaction || databaseFault(error)?.kind !== 'locked' ? error : lockedRow(error)
  }
}
