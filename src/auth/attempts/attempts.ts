import type { Clock } from '../../base/clock.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Observe } from '../../base/observation.ts'
import type { Db } from '../../storage/database/db.ts'
import { Turns } from '../../storage/database/turns.ts'
import { AttemptCounter } from './attempt-counter.ts'
import { attemptSql } from './attempts.sql.ts'

/** What attempts are counted by, and how many are allowed. */
export interface AttemptRule {
  /** What is tried, and where it matters on whom: `log-in`, `user/<org>/<user>`. */
  readonly scope: string
  /** Where it comes from; empty: from anywhere. */
  readonly address: string
  /** 0: it is not counted. */
  readonly max: number
  readonly seconds: number
}

/** One attempt, from its beginning to its end. */
export interface Attempt {
  /** 0, or how many seconds the client has to wait: then nothing was counted. */
  readonly wait: number
  /** To be called whatever has become of it. An attempt that was not wrong is not counted any more. */
  end(isWrong: boolean): Promise<void>
}

interface Line {
  readonly turns: Turns
  users: number
}

/**
 * So many attempts that count toward the same are under way at once in a process; the others wait. Without a bound, many
 * right attempts at once would look like too many wrong ones, for each counts before it is made.
 */
const MAX_AT_ONCE = 4
const WAIT_MS = 10_000

/** How long the process counts by itself when the database has failed, in milliseconds. */
const MEMORY_MS = 5000

/** In seconds. */
const SWEEP_SECONDS = 60
const KNOWN_ADDRESS_SECONDS = 180 * 24 * 3600

const NOT_COUNTED: Attempt = { wait: 0, end: async () => {} }

const keyOf = ({ scope, address }: AttemptRule) => `${scope} ${address}`

/**
 * Counts attempts over all servers of a database. An attempt counts before it is made, so that of any number at once no more
 * than the allowed ones are made. While the database does not answer, each process counts for itself.
 */
export class Attempts {
  readonly #db: Db
  readonly #clock: Clock
  readonly #observe: Observe
  readonly #memory = new AttemptCounter()
  readonly #lines = new Map<string, Line>()
  #memoryUntil = 0
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, clock: Clock, observe: Observe = () => {}) {
    this.#db = db
    this.#clock = clock
    this.#observe = observe
  }

  /**
   * Begins an attempt.
   * @param rules the narrowest first
   * @throws ApiError SERVER_UNAVAILABLE when too many wait
   */
  async begin(rules: readonly AttemptRule[]): Promise<Attempt> {
    const counted = rules.filter(({ max }) => max > 0)
    if (counted.length === 0) return NOT_COUNTED
    const release = await this.#takeTurn(keyOf(counted[0]!))
    try {
      const { wait, giveBack } = await this.#take(counted)
      if (wait > 0) {
        release()
        return { wait, end: async () => {} }
      }
      return {
        wait,
        async end(isWrong) {
          try {
            if (!isWrong) await giveBack()
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

  /** Forgets the wrong attempts of a scope from one address. */
  async forgetAt({ scope, address }: AttemptRule): Promise<void> {
    await this.#db.query(attemptSql.forgetAt(scope, address))
  }

  async #takeTurn(key: string): Promise<() => void> {
    const line = getOrInsert(this.#lines, key, () => ({
      turns: new Turns({ connections: MAX_AT_ONCE, waitMs: WAIT_MS }),
      users: 0,
    }))
    const leave = () => {
      line.users--
      if (line.users === 0) this.#lines.delete(key)
    }
    line.users++
    try {
      const turn = await line.turns.take()
      return () => {
        line.turns.release(turn)
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
    const now = this.#clock().getTime() / 1000
    this.#sweep(now)
    const rows = await this.#db.query<{ isOver: boolean }>(attemptSql.take(counted, now))
    const isRefused = rows.length === 0 || rows.some(({ isOver }) => isOver)
    const wait = isRefused ? await this.#waitFor(counted, now) : 0
    const giveBack = async () => {
      // Who succeeded is not told that one attempt too many stays counted.
      await this.#db.query(attemptSql.giveBack(counted)).catch(() => {})
    }
    return { wait, giveBack }
  }

  async #waitFor(counted: readonly AttemptRule[], now: number): Promise<number> {
    const [row] = await this.#db.query<{ wait: number | null }>(attemptSql.wait(counted, now))
    return Math.max(1, Math.ceil(row?.wait ?? 0))
  }

  #takeInMemory(counted: readonly AttemptRule[]) {
    const taken: string[] = []
    const giveBack = async () => {
      for (const key of taken) this.#memory.giveBack(key)
    }
    for (const rule of counted) {
      const wait = this.#memory.take(keyOf(rule), rule, this.#clock())
      if (wait > 0) {
        void giveBack()
        return { wait, giveBack }
      }
      taken.push(keyOf(rule))
    }
    return { wait: 0, giveBack }
  }

  /** Deletes what is over, so that the tables stay small. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_SECONDS) return
    this.#sweptAt = now
    this.#db.query(attemptSql.sweep(now)).catch(() => {})
    this.#db.query(attemptSql.sweepKnown(now - KNOWN_ADDRESS_SECONDS)).catch(() => {})
  }
}
