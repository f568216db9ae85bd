import type { Clock } from '../base/clock.ts'
import type { Db } from '../storage/database/db.ts'
import { databaseFault } from '../storage/database/pg-error.ts'
import { quotaSql, WINDOW_SLOTS } from './quota.sql.ts'

const HOUR_MS = 3600 * 1000

/** The counts of events: those sent to clients, each client's by itself, and the platform events that were published. */
export type EventUse = 'delivered' | 'published'

const WINDOWS_MS: Readonly<Record<EventUse, number>> = { delivered: 24 * HOUR_MS, published: HOUR_MS }

/** How old the counts of other processes may be when events are admitted, in milliseconds. */
const MAX_AGE_MS = 1500

const sum = (counts: ReadonlyMap<number, number>) => counts.values().reduce((total, some) => total + some, 0)

interface Options {
  readonly db: Db
  /** The org's clock. */
  readonly clock: Clock
  readonly process: string
  /** Most of them in a window; undefined: they are counted but not limited. */
  readonly max: number | undefined
}

/**
 * The events of an org in this process, within a sliding window. They are counted in memory, and flushed to the database each second. There
 * are no leases as for calls: a transaction that publishes may not wait for another connection, so what other processes count is
 * known with a delay of a second. In one process the limit is exact.
 */
export class EventCount {
  readonly #orgId: string
  readonly #use: EventUse
  readonly #options: Options
  /** Events not flushed yet, by slot. */
  #made = new Map<number, number>()
  /** Those that are being flushed. */
  #flushing = 0
  /** Events in the window that are in the database, and when that was read. */
  #stored = 0
  #readAt = Number.NEGATIVE_INFINITY
  /** Reads that are under way: a flush would come to their result, or not. */
  #reading = 0

  constructor(orgId: string, use: EventUse, options: Options) {
    this.#orgId = orgId
    this.#use = use
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#made.size === 0
  }

  /**
   * Counts events, as many as the limit leaves.
   * @param db reads what the database knows, at most about once a second: of the transaction that the caller is in, if any
   * @returns how many were counted
   */
  async take(wanted: number, db = this.#options.db): Promise<number> {
    const { max } = this.#options
    if (max !== undefined && performance.now() - this.#readAt > MAX_AGE_MS) await this.#read(db)
    const taken = Math.min(wanted, max === undefined ? wanted : Math.max(0, max - this.#used))
    if (taken > 0) {
      const slot = this.#slot()
      this.#made.set(slot, (this.#made.get(slot) ?? 0) + taken)
    }
    return taken
  }

  /** Events in the window. */
  async load(db: Db): Promise<number> {
    await this.#read(db)
    return this.#used
  }

  /** Makes the next events look into the database: the clock was changed. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /** Flushes counts, unless they are being read. */
  async flush(): Promise<void> {
    if (this.#made.size === 0 || this.#reading > 0 || this.#flushing > 0) return
    await this.release()
  }

  /** Flushes counts in any case: the process ends. */
  async release(): Promise<void> {
    if (this.#made.size === 0) return
    const made = this.#made
    this.#made = new Map()
    this.#flushing = sum(made)
    // A clock that was moved ahead may be moved back.
    const earliest = Math.min(this.#slot(), this.#slot(Date.now()))
    const { db, process } = this.#options
    try {
      await db.query(quotaSql.release(this.#scope, process, made, earliest))
      this.#stored += this.#flushing
    } catch (error) {
      // Of an org that is gone nothing is counted any more.
      if (databaseFault(error)?.kind !== 'missing reference') this.#putBack(made)
      throw error
    } finally {
      this.#flushing = 0
    }
  }

  get #scope() {
    return { orgId: this.#orgId, events: this.#use }
  }

  get #used(): number {
    const first = this.#slot() - WINDOW_SLOTS
    const made = this.#made.entries().reduce((total, [slot, count]) => total + (slot > first ? count : 0), 0)
    return this.#stored + this.#flushing + made
  }

  #slot(at = this.#options.clock().getTime()): number {
    return Math.floor(at / (WINDOWS_MS[this.#use] / WINDOW_SLOTS))
  }

  async #read(db: Db): Promise<void> {
    // The known count is as old as the one that is being flushed.
    if (this.#flushing > 0) return
    this.#reading++
    try {
      const began = performance.now()
      const [row] = await db.query<{ used: number }>(quotaSql.used(this.#scope, this.#slot()))
      if (this.#flushing > 0) return
      this.#stored = row!.used
      this.#readAt = began
    } finally {
      this.#reading--
    }
  }

  #putBack(made: ReadonlyMap<number, number>): void {
    for (const [slot, count] of made) this.#made.set(slot, (this.#made.get(slot) ?? 0) + count)
  }
}
