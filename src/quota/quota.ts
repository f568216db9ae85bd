import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { serverTooBusy } from '../base/server-too-busy.ts'
import type { Db } from '../storage/database/db.ts'
import { totalRequestsUsedUp } from './limit-errors.ts'
import { LEASE_SECONDS, type Memberships, quotaSql, type Scope } from './quota.sql.ts'

const MINUTE = 60_000

/** How old what is known of other processes may be when a call is let in, in milliseconds. */
const FRESH = 1500

/** A lease is not used any more when it is this old: the database takes it back soon after. */
const LEASE_LIFE = (LEASE_SECONDS * 1000) / 2

/** How long a refusal is believed, in milliseconds. Nobody is refused longer because of it. */
const REFUSED = 100

/** Others may hold calls that they do not make: they give them back within a second. How often they are asked. */
const ASK_AGAIN = 25

/** How long a call waits for the database's answer about the quota, in milliseconds. */
const MAX_WAIT_MS = 5000

/** With so many calls left, or two or three times as many, a process asks for more before it needs them. */
const ASK_AT = 64

/** What an allowance needs to know of its scope. */
export interface QuotaOptions {
  readonly db: Db
  /** The org's. */
  readonly clock: Clock
  /** A name of this process that no other has. */
  readonly process: string
  /** Calls in 24 hours; undefined: they are only counted. */
  limit(): number | undefined
  /** Finds out what the limit is by now. */
  refresh?(): Promise<void>
  /** Long calls of this process. */
  longCalls(): number
  /** Whether calls are running in this process: they may become long ones. */
  isRunning(): boolean
}

/**
 * What the calls of one scope in this process may use of 24 hours that slide. The process leases calls from the database
 * and makes them without asking; how many it may lease becomes less towards the end, and at the end it asks for each.
 * Whatever it leases counts as used for everybody else, so together they never make one call too many, and what was
 * leased in vain comes back within a second. What was made is written down by the minute.
 */
export class Quota {
  readonly #scope: Scope
  readonly #options: QuotaOptions
  /** Calls that may be made without asking. */
  #held = 0
  /** Calls that were made and are not written down yet, by minute. */
  #made = new Map<number, number>()
  /** Used in the window: what was known last, and what was made here since. */
  #used = 0
  #longElsewhere = 0
  #queriedAt = Number.NEGATIVE_INFINITY
  #refusedAt = Number.NEGATIVE_INFINITY
  #refusedIn = 0
  #waiting = 0
  #queryContext: Promise<Memberships> | undefined
  /** Counts exchanges with the database: what a late one brings is not used. */
  #round = 0
  /** Settles when nothing is on its way back: a lease that is asked for meanwhile would go with it. */
  #giving: Promise<void> = Promise.resolve()
  /** Whether there was a call since the last beat. */
  #isBusy = false
  /** Whether everything is written down and given back. */
  #isAtRest = true

  constructor(scope: Scope, options: QuotaOptions) {
    this.#scope = scope
    this.#options = options
  }

  get isAtRest(): boolean {
    return this.#isAtRest
  }

  /** Calls in the window, this process's own last ones included. */
  get used(): number {
    return this.#used
  }

  /** Long calls of other processes. */
  get longElsewhere(): number {
    return this.#longElsewhere
  }

  /**
   * Counts one call. Undefined: it was let in at once.
   * @throws ApiError REQUEST_LIMIT_EXCEEDED
   */
  take(): Promise<void> | undefined {
    this.#isBusy = true
    this.#isAtRest = false
    const age = performance.now() - this.#queriedAt
    if (age > FRESH || !this.#mayMake(age)) return this.#askAndTake()
    this.#make()
    return undefined
  }

  /** Takes back what was counted last: the call was refused after all. */
  untake(): void {
    this.#note(-1)
  }

  /** Writes down what was made and learns what others made; called about once a second until it is at rest. */
  async beat(): Promise<void> {
    if (this.#isAtRest) return
    const wasBusy = this.#isBusy
    this.#isBusy = false
    if (wasBusy || this.#waiting > 0 || this.#options.isRunning()) {
      await this.#ask(0)
    } else {
      this.#isAtRest = true
      await this.giveBack()
    }
  }

  /** The next call asks: the clock was moved. */
  forget(): void {
    this.#queriedAt = Number.NEGATIVE_INFINITY
    this.#refusedAt = Number.NEGATIVE_INFINITY
  }

  /** Writes down what was made and holds nothing any more. */
  async giveBack(): Promise<void> {
    await this.#queryContext?.catch(() => {})
    this.#held = 0
    this.#queriedAt = Number.NEGATIVE_INFINITY
    const made = this.#takeMade()
    const giving = this.#options.db.transaction(async (tx) => {
      if (made.size > 0) await tx.query(quotaSql.add(this.#scope, [...made.keys()], [...made.values()]))
      await tx.query(quotaSql.giveBack(this.#scope, this.#options.process))
      // A clock that was moved ahead comes back.
      const earliest = Math.min(this.#minute(), Math.floor(Date.now() / MINUTE))
      await tx.query(quotaSql.deleteOld(this.#scope, earliest))
    })
    this.#giving = Promise.race([giving.catch(() => {}), sleep(MAX_WAIT_MS, undefined, { ref: false })])
    try {
      await giving
    } catch (error) {
      this.#isAtRest = false
      this.#putBack(made)
      throw error
    }
  }

  #minute(): number {
    return Math.floor(this.#options.clock().getTime() / MINUTE)
  }

  #mayMake(age: number): boolean {
    return this.#options.limit() === undefined || (this.#held > 0 && age < LEASE_LIFE)
  }

  #note(calls: 1 | -1): void {
    const minute = this.#minute()
    this.#made.set(minute, (this.#made.get(minute) ?? 0) + calls)
    this.#used += calls
    if (this.#options.limit() !== undefined) this.#held -= calls
  }

  #make(): void {
    this.#note(1)
    // Far from the end the next lease is there before this one is used up: nobody waits.
    if (this.#held > 0 && this.#held < 4 * ASK_AT && this.#held % ASK_AT === 0) this.#ask(1).catch(() => {})
  }

  async #askAndTake(): Promise<void> {
    if (this.#wasJustRefused()) throw totalRequestsUsedUp()
    this.#waiting++
    try {
      const began = performance.now()
      for (;;) {
        const { leased, free } = await this.#ask(this.#waiting)
        if (this.#mayMake(performance.now() - this.#queriedAt)) return this.#make()
        // What there was went to others who wait here.
        if (free > 0) continue
        if (leased === 0 || performance.now() - began > LEASE_SECONDS * 1000) break
        await sleep(ASK_AGAIN)
      }
    } finally {
      this.#waiting--
    }
    this.#refusedAt = performance.now()
    this.#refusedIn = this.#minute()
    throw totalRequestsUsedUp()
  }

  /** What is used up stays so for a moment, unless the clock goes on to another minute. */
  #wasJustRefused(): boolean {
    return performance.now() - this.#refusedAt < REFUSED && this.#refusedIn === this.#minute()
  }

  /** One question at a time: who comes while it is asked shares its answer. */
  #ask(wanted: number): Promise<Memberships> {
    this.#queryContext ??= this.#exchangeInTime(wanted).finally(() => {
      this.#queryContext = undefined
    })
    return this.#queryContext
  }

  /** A database that does not answer keeps nobody for longer than that: the next call asks again. */
  async #exchangeInTime(wanted: number): Promise<Memberships> {
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

  async #exchange(wanted: number): Promise<Memberships> {
    const round = ++this.#round
    const { db, process, limit, longCalls, refresh } = this.#options
    const scope = this.#scope
    await this.#giving
    await refresh?.()
    const isStale = performance.now() - this.#queriedAt > LEASE_LIFE
    const kept = isStale ? 0 : this.#held
    this.#held = kept
    const began = performance.now()
    const made = this.#takeMade()
    const reported = this.#used
    try {
      const memberships = await db.transaction(async (tx) => {
        const holding = { process, kept, wanted, longCalls: longCalls() }
        // They travel together. The first that fails tells why: those behind it only say that one before them did.
        const [, , rows] = await Promise.all([
          tx.query(quotaSql.takeTurn(scope)),
          made.size > 0 && tx.query(quotaSql.add(scope, [...made.keys()], [...made.values()])),
          tx.query<Memberships>(quotaSql.exchange(scope, this.#minute(), limit() ?? null, holding)),
        ])
        return rows[0]!
      })
      if (round !== this.#round) return memberships
      this.#held += memberships.held - kept
      this.#used = memberships.used + (this.#used - reported)
      this.#longElsewhere = memberships.longCalls
      this.#queriedAt = began
      return memberships
    } catch (error) {
      this.#putBack(made)
      throw error
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
