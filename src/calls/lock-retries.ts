import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { databaseFault } from '../storage/pg-error.ts'
import { lockedRow } from './locked-row.ts'

const MAX_RETRIES = 8

/** No retry begins later than this after the first try, in milliseconds. */
const RETRY_PERIOD_MS = 10_000

/** The first pause is at most twice this, in milliseconds; each one after it may be twice as long, up to the longest. */
const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 500

/**
 * How often work is begun again that failed because other calls held what it needed, and of which nothing is left. The
 * pauses are random, so that calls that were in each other's way do not meet again.
 */
export class LockRetries {
  readonly #ctx: Pick<Context, 'db' | 'deadline'>
  readonly #begunAt = performance.now()
  #count = 0

  constructor(ctx: Pick<Context, 'db' | 'deadline'>) {
    this.#ctx = ctx
  }

  /**
   * Waits before the next try.
   * @returns false: there is none. Inside a transaction there never is: that has to begin again as a whole.
   */
  async next(): Promise<boolean> {
    const isLate = performance.now() - this.#begunAt > RETRY_PERIOD_MS
    if (this.#ctx.db.isTransaction || isLate || this.#count === MAX_RETRIES) return false
    this.#count++
    await sleep(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** this.#count, MAX_PAUSE_MS))
    return !this.#ctx.deadline.aborted
  }
}

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
