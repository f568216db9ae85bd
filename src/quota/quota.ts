import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, serverTooBusy } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../storage/database/db.ts'
import { faultError } from '../storage/database/fault-error.ts'
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

/** How long a call that only reads waits for it, before it goes on without a lease. */
const READ_WAIT_MS = 2000

/** How long it is known how many calls are free without a lease. */
const LOAN_LIFE_MS = 1000

/** A process extends its lease when it has one, two or three times this many calls left. */
const RENEW_AT_CALLS = 64

/** Nothing of the call itself was begun, and what is locked is not what it asked for. */
function asUnavailable(error: unknown): unknown {
  switch (databaseFault(error)?.kind) {
    case 'locked':
    case 'cancelled':
    case 'unknown outcome':
      return serverTooBusy(error)
    case 'unreachable':
      return faultError(error)
    default:
      return error
  }
}

const sum = (calls: ReadonlyMap<number, number>) => calls.values().reduce((total, some) => total + some, 0)

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'SERVER_UNAVAILABLE'

/** @throws ApiError SERVER_UNAVAILABLE when the time is up */
async function inTime<T>(work: Promise<T>, milliseconds: number, onLate = () => {}): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    onLate()
    late.reject(serverTooBusy())
  }, milliseconds)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

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
  /** True if this process is carrying out calls, which may become long ones. */
  isRunning(): boolean
}

/**
 * The calls of one scope in this process, within a sliding window of 24 hours. The process leases calls from the database
 * and makes them without further queries; leases shrink as the limit comes near, and at the limit each call queries the
 * database. All leases count as used for other processes, so together they never exceed the limit, and unused leases
 * are returned within a second. Calls are flushed to the database by minute. While no exchange succeeds, calls that only read
 * go on without a lease, as many as are free; the next exchange counts them.
 */
export class Quota {
  readonly #scope: Scope
  readonly #options: QuotaOptions
  /** Calls left in the lease. */
  #held = 0
  /** Calls not flushed yet, by minute. */
  #made = new Map<number, number>()
  /** Calls that the exchange under way flushes. */
  #flushing = 0
  /** Calls in the window: the last known count and the calls made here since. */
  #used = 0
  #longElsewhere = 0
  #queriedAt = Number.NEGATIVE_INFINITY
  /** Calls that may be made without a lease, and when that was found; undefined: the last exchange succeeded. */
  #loan: { left: number; readonly at: number } | undefined
  #borrowing: Promise<void> | undefined
  #refusedAt = Number.NEGATIVE_INFINITY
  #refusedIn = 0
  #waiting = 0
  #exchanging: Promise<QuotaState> | undefined
  /** Numbers exchanges with the database, so that the result of a late one is ignored. */
  #round = 0
  /** Settles when no release is in progress: it would take a lease requested meanwhile with it. */
  #releasing: Promise<void> = Promise.resolve()
  /** True if there was a call since the last flush. */
  #isBusy = false
  /** True if everything is flushed and released. */
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
   * @param onlyReads the call can go on while the database takes no writes
   * @throws ApiError REQUEST_LIMIT_EXCEEDED
   */
  take(onlyReads: boolean): Promise<void> | undefined {
    this.#isBusy = true
    this.#isIdle = false
    const age = performance.now() - this.#queriedAt
    if (age <= MAX_AGE_MS && this.#mayMake(age)) {
      this.#make()
      return undefined
    }
    if (!onlyReads) return this.#leaseAndTake()
    if (this.#loan === undefined) return this.#leaseOrBorrow()
    return this.#makeBorrowed() ? undefined : this.#borrowAndTake()
  }

  /** Uncounts the last call: it was refused after all. The lease gets it back with the next exchange. */
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
    // A clock that was moved ahead may be moved back.
    const earliest = Math.min(this.#minute(), Math.floor(Date.now() / MINUTE_MS))
    const { db, process } = this.#options
    const releasing = db.query(quotaSql.release(this.#scope, process, made, earliest))
    this.#releasing = inTime(releasing, MAX_WAIT_MS).then(
      () => {},
      () => {},
    )
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
  }

  #make(): void {
    this.#note(1)
    if (this.#options.limit() !== undefined) this.#held--
    // The next lease arrives before this one is used up, so that calls do not wait.
    if (this.#held > 0 && this.#held < 4 * RENEW_AT_CALLS && this.#held % RENEW_AT_CALLS === 0)
      this.#requestLease(1).catch(() => {})
  }

  async #leaseAndTake(maxWaitMs = MAX_WAIT_MS): Promise<void> {
    if (this.#wasJustRefused()) throw totalRequestsUsedUp()
    this.#waiting++
    try {
      const began = performance.now()
      for (;;) {
        const { leased, free } = await inTime(this.#requestLease(this.#waiting), maxWaitMs)
        if (this.#mayMake(performance.now() - this.#queriedAt)) return this.#make()
        // Other waiting calls took what was leased.
        if (free > 0) continue
        if (leased === 0 || performance.now() - began > LEASE_SECONDS * 1000) break
        await sleep(RETRY_MS)
      }
    } finally {
      this.#waiting--
    }
    throw this.#refuse()
  }

  async #leaseOrBorrow(): Promise<void> {
    try {
      await this.#leaseAndTake(READ_WAIT_MS)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await this.#borrowAndTake()
    }
  }

  /** @returns false if it is not known that a call is free */
  #makeBorrowed(): boolean {
    const loan = this.#loan
    if (loan === undefined || loan.left <= 0 || performance.now() - loan.at > LOAN_LIFE_MS) return false
    loan.left--
    this.#note(1)
    return true
  }

  /** @throws ApiError REQUEST_LIMIT_EXCEEDED, or SERVER_UNAVAILABLE if the database cannot be read either */
  async #borrowAndTake(): Promise<void> {
    if (this.#wasJustRefused()) throw totalRequestsUsedUp()
    this.#borrowing ??= inTime(this.#borrow(), MAX_WAIT_MS).finally(() => {
      this.#borrowing = undefined
    })
    await this.#borrowing
    if (this.#makeBorrowed()) return
    // An exchange has succeeded meanwhile.
    if (this.#loan === undefined) return this.#leaseAndTake()
    throw this.#refuse()
  }

  /** Reads how many calls are free. Other processes may borrow the same ones, and learn of these with the next exchange. */
  async #borrow(): Promise<void> {
    const { db, process, limit } = this.#options
    const queriedAt = this.#queriedAt
    const reading = db.query<{ taken: number }>(quotaSql.taken(this.#scope, this.#minute(), process))
    const [row] = await reading.catch((error) => {
      throw asUnavailable(error)
    })
    if (queriedAt !== this.#queriedAt) return
    const unknown = this.#flushing + sum(this.#made)
    this.#held = 0
    this.#loan = {
      left: (limit() ?? Number.POSITIVE_INFINITY) - row!.taken - unknown,
      at: performance.now(),
    }
  }

  #refuse(): ApiError {
    this.#refusedAt = performance.now()
    this.#refusedIn = this.#minute()
    return totalRequestsUsedUp()
  }

  /** True if a refusal still holds: for a short time, and within the same minute of the clock. */
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
  #exchangeInTime(wanted: number): Promise<QuotaState> {
    return inTime(this.#exchange(wanted), MAX_WAIT_MS, () => {
      this.#round++
      this.#held = 0
    })
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
    this.#flushing = sum(made)
    try {
      const holding = { process, kept, wanted, longCalls: longCalls(), made }
      const [row] = await db.query<QuotaState>(
        quotaSql.exchange(scope, this.#minute(), limit() ?? null, holding),
      )
      const state = row!
      if (round !== this.#round) return state
      this.#held += state.held - kept
      this.#used = state.used + (this.#used - usedBefore)
      this.#longElsewhere = state.longCalls
      this.#queriedAt = began
      this.#loan = undefined
      return state
    } catch (error) {
      this.#putBack(made)
      throw asUnavailable(error)
    } finally {
      this.#flushing = 0
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
