import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { serverTooBusy } from '../base/server-too-busy.ts'
import type { Db } from '../storage/database/db.ts'
import { databaseFault } from '../storage/database/pg-error.ts'
import { totalRequestsUsedUp } from './limit-errors.ts'
import { LEASE_SECONDS, type QuotaState, quotaSql, type Scope } from './quota.sql.ts'

const MINUTE_MS = 60_000

/** Maximum age of the counts of other processes when a call is admitted. */
const MAX_AGE_MS = 1500

/** A lease older than this is not used: the database ends it soon after. */
const LEASE_LIFE_MS = (LEASE_SECONDS * 1000) / 2

/** How long a refusal is cached, so that refused calls do not each query the database. */
const REFUSAL_MS = 100

/** Other processes return unused leases within a second. They are requested at this interval meanwhile. */
const RETRY_MS = 25

/** How long a call waits for the database's answer about the quota. */
const MAX_WAIT_MS = 5000

/** A process extends its lease when it has one, two or three times this many calls left. */
const RENEW_AT_CALLS = 64

/** Dependencies of a quota. */
interface QuotaOptions {
  readonly db: Db
  /** The org's clock. */
  readonly clock: Clock
  /** A unique name of this process. */
  readonly process: string
  /** Calls in 24 hours; undefined: calls are counted but not limited. */
  limit(): number | undefined
  /** Reloads the limit. */
  readonly refresh?: (() => Promise<void>) | undefined
  /** Number of long calls of this process. */
  longCalls(): number
  /** Whether this process is carrying out calls, which may become long ones. */
  isRunning(): boolean
}

/**
 * The calls of one scope in this process, within a sliding window of 24 hours. The process leases calls from the database
 * and makes them without further queries; leases shrink as the limit comes near, and at the limit each call queries the
 * database. All leases count as used for other processes, so together they never exceed the limit, and unused leases
 * are returned within a second. Calls are flushed to the database by minute.
 */
export class Quota {
  readonly #scope: Scope
  readonly #options: QuotaOptions
  /** Calls left in the lease. */
  #held = 0
  /** Calls not flushed yet, by minute. */
  #made = new Map<number, number>()
  /** Calls in the window: the last known count and the calls made here since. */
  #used = 0
  #longElsewhere = 0
  #queriedAt = Number.NEGATIVE_INFINITY
  #refusedAt = Number.NEGATIVE_INFINITY
  #refusedIn = 0
  #waiting = 0
  #exchanging: Promise<QuotaState> | undefined
  /** Numbers exchanges with the database, so that the result of a late one is ignored. */
  #round = 0
  /** Settles when no release is in progress: it would take a lease requested meanwhile with it. */
  #releasing: Promise<void> = Promise.resolve()
  /** Whether there was a call since the last flush. */
  #isBusy = false
  /** Whether everything is flushed and released. */
  #isIdle = true

  constructor(scope: Scope, options: QuotaOptions) {
    this.#scope = scope
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#isIdle
  }

  /** Calls in the window, including the last ones of this process. */
  get used(): number {
    return this.#used
  }

  /** Long calls of other processes. */
  get longElsewhere(): number {
    return this.#longElsewhere
  }

  /**
   * Counts one call. Returns undefined if it was admitted without waiting.
   * @throws ApiError REQUEST_LIMIT_EXCEEDED
   */
  take(): Promise<void> | undefined {
    this.#isBusy = true
    this.#isIdle = false
    const age = performance.now() - this.#queriedAt
    if (age > MAX_AGE_MS || !this.#mayMake(age)) return this.#leaseAndTake()
    this.#make()
    return undefined
  }

  /** Uncounts the last call: it was refused after all. */
  untake(): void {
    this.#note(-1)
  }

  /** Flushes counts and loads those of other processes; called about once a second until it is idle. */
  async flush(): Promise<void> {
    if (this.#isIdle) return
    const wasBusy = this.#isBusy
    this.#isBusy = false
    if (wasBusy || this.#waiting > 0 || this.#options.isRunning()) {
      await this.#requestLease(0)
    } else {
      this.#isIdle = true
      await this.release()
    }
  }

  /** Makes the next call query the database: the clock was changed. */
  forget(): void {
    this.#queriedAt = Number.NEGATIVE_INFINITY
    this.#refusedAt = Number.NEGATIVE_INFINITY
  }

  /** Flushes counts and ends the lease. */
  async release(): Promise<void> {
    await this.#exchanging?.catch(() => {})
    this.#held = 0
    this.#queriedAt = Number.NEGATIVE_INFINITY
    const made = this.#takeMade()
    const releasing = this.#options.db.transaction(async (tx) => {
      if (made.size > 0) await tx.query(quotaSql.add(this.#scope, [...made.keys()], [...made.values()]))
      await tx.query(quotaSql.release(this.#scope, this.#options.process))
      // A clock that was moved ahead may be moved back.
      const earliest = Math.min(this.#minute(), Math.floor(Date.now() / MINUTE_MS))
      await tx.query(quotaSql.deleteOld(this.#scope, earliest))
    })
    this.#releasing = Promise.race([releasing.catch(() => {}), sleep(MAX_WAIT_MS, undefined, { ref: false })])
    try {
      await releasing
    } catch (error) {
      this.#isIdle = false
      this.#putBack(made)
      throw error
    }
  }

  #minute(): number {
    return Math.floor(this.#options.clock().getTime() / MINUTE_MS)
  }

  #mayMake(age: number): boolean {
    return this.#options.limit() === undefined || (this.#held > 0 && age < LEASE_LIFE_MS)
  }

  #note(calls: 1 | -1): void {
    const minute = this.#minute()
    this.#made.set(minute, (this.#made.get(minute) ?? 0) + calls)
    this.#used += calls
    if (this.#options.limit() !== undefined) this.#held -= calls
  }

  #make(): void {
    this.#note(1)
    // The next lease arrives before this one is used up, so that calls do not wait.
    if (this.#held > 0 && this.#held < 4 * RENEW_AT_CALLS && this.#held % RENEW_AT_CALLS === 0)
      this.#requestLease(1).catch(() => {})
  }

  async #leaseAndTake(): Promise<void> {
    if (this.#wasJustRefused()) throw totalRequestsUsedUp()
    this.#waiting++
    try {
      const began = performance.now()
      for (;;) {
        const { leased, free } = await this.#requestLease(this.#waiting)
        if (this.#mayMake(performance.now() - this.#queriedAt)) return this.#make()
        // Other waiting calls took what was leased.
        if (free > 0) continue
        if (leased === 0 || performance.now() - began > LEASE_SECONDS * 1000) break
        await sleep(RETRY_MS)
      }
    } finally {
      this.#waiting--
    }
    this.#refusedAt = performance.now()
    this.#refusedIn = this.#minute()
    throw totalRequestsUsedUp()
  }

  /** Whether a refusal still holds: for a short time, and within the same minute of the clock. */
  #wasJustRefused(): boolean {
    return performance.now() - this.#refusedAt < REFUSAL_MS && this.#refusedIn === this.#minute()
  }

  /** Runs one exchange at a time; callers that arrive meanwhile share its result. */
  #requestLease(wanted: number): Promise<QuotaState> {
    this.#exchanging ??= this.#exchangeInTime(wanted).finally(() => {
      this.#exchanging = undefined
    })
    return this.#exchanging
  }

  /** Bounds the wait for a database that does not answer; the next call tries again. */
  async #exchangeInTime(wanted: number): Promise<QuotaState> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#round++
      this.#held = 0
      late.reject(serverTooBusy())
    }, MAX_WAIT_MS)
    try {
      return await Promise.race([this.#exchange(wanted), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #exchange(wanted: number): Promise<QuotaState> {
    const round = ++this.#round
    const { db, process, limit, longCalls, refresh } = this.#options
    const scope = this.#scope
    await this.#releasing
    await refresh?.()
    const isStale = performance.now() - this.#queriedAt > LEASE_LIFE_MS
    const kept = isStale ? 0 : this.#held
    this.#held = kept
    const began = performance.now()
    const made = this.#takeMade()
    const usedBefore = this.#used
    try {
      const state = await db.transaction(async (tx) => {
        const holding = { process, kept, wanted, longCalls: longCalls() }
        // They are pipelined. The error of the first that fails has the reason; the errors of those after it do not.
        const [, , rows] = await Promise.all([
          tx.query(quotaSql.lock(scope)),
          made.size > 0 && tx.query(quotaSql.add(scope, [...made.keys()], [...made.values()])),
          tx.query<QuotaState>(quotaSql.exchange(scope, this.#minute(), limit() ?? null, holding)),
        ])
        return rows[0]!
      })
      if (round !== this.#round) return state
      this.#held += state.held - kept
      this.#used = state.used + (this.#used - usedBefore)
      this.#longElsewhere = state.longCalls
      this.#queriedAt = began
      return state
    } catch (error) {
      this.#putBack(made)
      // Another server holds the scope: nothing that the caller asked for is locked.
      throw databaseFault(error)?.kind === 'locked' ? serverTooBusy(error) : error
    }
  }

  #takeMade(): ReadonlyMap<number, number> {
    const made = this.#made
    this.#made = new Map()
    return made
  }

  #putBack(made: ReadonlyMap<number, number>): void {
    for (const [minute, calls] of made) this.#made.set(minute, (this.#made.get(minute) ?? 0) + calls)
  }
}
