import { type Clock, secondsNow } from '../../base/clock.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Observe } from '../../base/observation.ts'
import type { Db } from '../../storage/database/db.ts'
import { Turns } from '../../storage/database/turns.ts'
import { AttemptCounter } from './attempt-counter.ts'
import { attemptSql } from './attempts.sql.ts'

/** Key and limit of counted attempts. */
export interface AttemptRule {
  /** Kind of attempt, with its user if there is one: `log-in`, `user/<org>/<user>`. */
  readonly scope: string
  /** Address of the client; empty: any. */
  readonly address: string
  /** Maximum number of attempts; 0: not limited. */
  readonly max: number
  readonly seconds: number
}

/** One attempt. */
export interface Attempt {
  /** 0, or how many seconds the client has to wait; then the attempt was not counted. */
  readonly wait: number
  /** Must be called when the attempt has ended. Unless it was wrong, it is uncounted. */
  end(isWrong: boolean): Promise<void>
}

interface Queue {
  readonly turns: Turns
  users: number
}

/**
 * Maximum number of concurrent attempts with the same key in a process; others wait. Each attempt counts before it is made,
 * so without this limit many concurrent correct attempts would look like too many wrong ones.
 */
const MAX_CONCURRENT = 4
const WAIT_MS = 10_000

/** How long the process counts in memory after the database has failed, in milliseconds. */
const MEMORY_MS = 5000

/** Interval of deleting old rows. */
const SWEEP_SECONDS = 60
const KNOWN_ADDRESS_SECONDS = 180 * 24 * 3600

const NOT_COUNTED: Attempt = { wait: 0, end: async () => {} }

const keyOf = ({ scope, address }: AttemptRule) => `${scope} ${address}`

/**
 * Counts attempts over all servers of a database. An attempt counts before it is made, so that concurrent attempts cannot
 * exceed the limit. While the database does not answer, each process counts on its own.
 */
export class Attempts {
  readonly #db: Db
  readonly #clock: Clock
  readonly #observe: Observe
  readonly #memory = new AttemptCounter()
  readonly #queues = new Map<string, Queue>()
  #memoryUntil = 0
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, clock: Clock, observe: Observe = () => {}) {
    this.#db = db
    this.#clock = clock
    this.#observe = observe
  }

  /**
   * Starts an attempt.
   * @param rules most specific first
   * @throws ApiError SERVER_UNAVAILABLE if too many attempts wait
   */
  async begin(rules: readonly AttemptRule[]): Promise<Attempt> {
    const counted = rules.filter(({ max }) => max > 0)
    if (counted.length === 0) return NOT_COUNTED
    const release = await this.#takeTurn(keyOf(counted[0]!))
    try {
      const { wait, uncount } = await this.#take(counted)
      if (wait > 0) {
        release()
        return { wait, end: async () => {} }
      }
      return {
        wait,
        async end(isWrong) {
          try {
            if (!isWrong) await uncount()
          } finally {
            release()
          }
        },
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Deletes the counts of a scope for one address. */
  async forgetAt({ scope, address }: AttemptRule): Promise<void> {
    await this.#db.query(attemptSql.forgetAt(scope, address))
  }

  async #takeTurn(key: string): Promise<() => void> {
    const queue = getOrInsert(this.#queues, key, () => ({
      turns: new Turns({ connections: MAX_CONCURRENT, waitMs: WAIT_MS }),
      users: 0,
    }))
    const leave = () => {
      queue.users--
      if (queue.users === 0) this.#queues.delete(key)
    }
    queue.users++
    try {
      const turn = await queue.turns.take()
      return () => {
        queue.turns.release(turn)
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  async #take(counted: readonly AttemptRule[]) {
    if (performance.now() >= this.#memoryUntil) {
      try {
        return await this.#takeInDatabase(counted)
      } catch (error) {
        this.#memoryUntil = performance.now() + MEMORY_MS
        const reason = error instanceof Error ? error.message : String(error)
        this.#observe({ kind: 'notice', message: `Attempts are counted by this process only: ${reason}` })
      }
    }
    return this.#takeInMemory(counted)
  }

  async #takeInDatabase(counted: readonly AttemptRule[]) {
    const now = secondsNow(this.#clock)
    this.#sweep(now)
    const rows = await this.#db.query<{ isOver: boolean }>(attemptSql.take(counted, now))
    const isRefused = rows.length === 0 || rows.some(({ isOver }) => isOver)
    const wait = isRefused ? await this.#waitFor(counted, now) : 0
    const uncount = async () => {
      // If this fails, one attempt too many stays counted, which is not worth an error for a successful caller.
      await this.#db.query(attemptSql.release(counted)).catch(() => {})
    }
    return { wait, uncount }
  }

  async #waitFor(counted: readonly AttemptRule[], now: number): Promise<number> {
    const [row] = await this.#db.query<{ wait: number | null }>(attemptSql.wait(counted, now))
    return Math.max(1, Math.ceil(row?.wait ?? 0))
  }

  #takeInMemory(counted: readonly AttemptRule[]) {
    const taken: string[] = []
    const uncount = async () => {
      for (const key of taken) this.#memory.release(key)
    }
    for (const rule of counted) {
      const wait = this.#memory.take(keyOf(rule), rule, this.#clock())
      if (wait > 0) {
        void uncount()
        return { wait, uncount }
      }
      taken.push(keyOf(rule))
    }
    return { wait: 0, uncount }
  }

  /** Deletes expired rows. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_SECONDS) return
    this.#sweptAt = now
    this.#db.query(attemptSql.sweep(now)).catch(() => {})
    this.#db.query(attemptSql.sweepKnown(now - KNOWN_ADDRESS_SECONDS)).catch(() => {})
  }
}
