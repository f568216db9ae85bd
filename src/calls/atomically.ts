import type { Context } from '../context.ts'
import { lockedRow } from '../storage/database/fault-error.ts'
import { LockRetries } from '../storage/database/lock-retries.ts'
import { databaseFault } from '../storage/database/pg-error.ts'

/** True if a transaction is committed, rolled back, or retried because of a lock conflict. */
export type Verdict = 'committed' | 'rolled back' | 'locked'

/** Carries an outcome out of a transaction that is rolled back. */
class Rollback<T> extends Error {
  readonly outcome: T

  constructor(outcome: T) {
    super('rolled back')
    this.outcome = outcome
  }
}

async function tryOnce<T>(
  ctx: Context,
  work: (inside: Context) => Promise<T>,
  judge: (outcome: T) => Verdict,
): Promise<T> {
  return ctx.db.transaction(async (db) => {
    const outcome = await work({ ...ctx, db })
    if (judge(outcome) !== 'committed') throw new Rollback(outcome)
    return outcome
  })
}

/**
 * Runs work in one transaction. Retries after lock conflicts with other calls.
 * @param judge decides about an outcome
 * @throws the database's error when it cannot commit
 */
export async function atomically<T>(
  ctx: Context,
  work: (inside: Context) => Promise<T>,
  judge: (outcome: T) => Verdict,
): Promise<T> {
  const attempt = () => tryOnce(ctx, work, judge)
  const isLocked = (thrown: unknown) =>
    thrown instanceof Rollback ? judge(thrown.outcome) === 'locked' : databaseFault(thrown)?.kind === 'locked'
  try {
    return await new LockRetries(ctx).run(attempt, isLocked)
  } catch (thrown) {
    if (thrown instanceof Rollback) return thrown.outcome
    throw ctx.db.isTransaction || !isLocked(thrown) ? thrown : lockedRow(thrown)
  }
}

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
