import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'

const MAX_RETRIES = 8

/** No retry begins that would probably end later than this after the first try began, in milliseconds. */
const RETRY_PERIOD_MS = 10_000

/** The work of one call. */
interface Work {
  readonly db: Db
  /** Aborts when the call has to end. */
  readonly deadline: AbortSignal
}

/** The first pause is at most twice this, in milliseconds; each one after it may be twice as long, up to the longest. */
const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 500

/**
 * How often work is begun again that failed because other calls held what it needed, and of which nothing is left. The
 * pauses are random, so that calls that were in each other's way do not meet again.
 */
export class LockRetries {
  readonly #work: Work
  readonly #begunAt = performance.now()
  #count = 0

  constructor(work: Work) {
    this.#work = work
  }

  /**
   * Waits before the next try.
   * @returns false: there is none. Inside a transaction there never is: that has to begin again as a whole.
   */
  async next(): Promise<boolean> {
    const elapsed = performance.now() - this.#begunAt
    const isLate = elapsed + elapsed / (this.#count + 1) > RETRY_PERIOD_MS
    if (this.#work.db.isTransaction || isLate || this.#count === MAX_RETRIES) return false
    this.#count++
    await sleep(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** this.#count, MAX_PAUSE_MS))
    return !this.#work.deadline.aborted
  }
}
