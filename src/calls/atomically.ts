import type { Context } from '../context.ts'
import { lockedRow } from '../storage/database/fault-error.ts'
import { LockRetries } from '../storage/database/lock-retries.ts'
import { databaseFault } from '../storage/database/pg-error.ts'

/** What becomes of what was done: it stays, it is taken back, or others were in its way and it is tried again. */
export type Verdict = 'stays' | 'taken back' | 'locked'

/** Carries an outcome out of a transaction that is rolled back. */
class Rollback<T> extends Error {
  readonly outcome: T

  constructor(outcome: T) {
    super('taken back')
    this.outcome = outcome
  }
}

async function tryOnce<T>(
  ctx: Context,
  work: (inside: Context) => Promise<T>,
  judge: (outcome: T) => Verdict,
): Promise<T> {
  try {
    return await ctx.db.transaction(async (db) => {
      const outcome = await work({ ...ctx, db })
      if (judge(outcome) !== 'stays') throw new Rollback(outcome)
      return outcome
    })
  } catch (thrown) {
    if (thrown instanceof Rollback) return thrown.outcome
    throw thrown
  }
}

/**
 * Does several things in one transaction, all or nothing. What failed because of other calls only is tried again:
 * nothing of it is left.
 * @param judge says what becomes of an outcome
 * @throws what the database says when it cannot commit
 */
export async function atomically<T>(
  ctx: Context,
  work: (inside: Context) => Promise<T>,
  judge: (outcome: T) => Verdict,
): Promise<T> {
  const retries = new LockRetries(ctx)
  for (;;) {
    try {
      const outcome = await tryOnce(ctx, work, judge)
      if (judge(outcome) !== 'locked' || !(await retries.next())) return outcome
    } catch (thrown) {
      if (ctx.db.isTransaction || databaseFault(thrown)?.kind !== 'locked') throw thrown
      if (!(await retries.next())) throw lockedRow(thrown)
    }
  }
}
