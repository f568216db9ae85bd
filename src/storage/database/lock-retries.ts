import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import { databaseFault } from './pg-error.ts'

const MAX_RETRIES = 8

/** No retry starts if it would probably end later than this after the first try started, in milliseconds. */
const RETRY_PERIOD_MS = 10_000

/** The work of a call. */
interface Work {
  readonly db: Db
  /** Aborts when the call has to end. */
  readonly deadline: () => AbortSignal
}

/** The first pause is at most twice this, in milliseconds; each later one may be twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 500

/** True if others held the locks. */
const isLockConflict = (error: unknown): boolean => databaseFault(error)?.kind === 'locked'

/**
 * Retries work that was rolled back because other calls held its locks. Pauses are random, so that calls that conflicted
 * do not conflict again.
 */
export class LockRetries {
  readonly #work: Work
  #begunAt = performance.now()
  #hasBegun = false
  #count = 0

  constructor(work: Work) {
    this.#work = work
  }

  /** Called when a try has its connection: the wait for the first one takes nothing from the time for retries. */
  begin(): void {
    if (!this.#hasBegun) this.#begunAt = performance.now()
    this.#hasBegun = true
  }

  /**
   * Carries out one transaction, so that a failed try leaves nothing. All runs share the number of retries and the time for them.
   * @param isLocked true if a try may succeed later
   * @throws what the last try has thrown. Inside a transaction it is the only one: the transaction has to be retried as a whole.
   */
  async run<T>(attempt: () => Promise<T> | T, isLocked = isLockConflict): Promise<T> {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!isLocked(error) || !(await this.#wait())) throw error
      }
    }
  }

  /** Waits before the next retry; false: there is none. */
  async #wait(): Promise<boolean> {
    const elapsed = performance.now() - this.#begunAt
    const isLate = elapsed + elapsed / (this.#count + 1) > RETRY_PERIOD_MS
    if (this.#work.db.isTransaction || isLate || this.#count === MAX_RETRIES) return false
    this.#count++
    await sleep(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** this.#count, MAX_PAUSE_MS))
    return !this.#work.deadline().aborted
  }
}
