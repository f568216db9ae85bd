import type { Clock, ClockOf } from '../../base/clock.ts'
import type { Db } from '../database/db.ts'
import { orgSql } from './orgs.sql.ts'

/** Maximum age of the cached offsets. */
const MAX_AGE_MS = 500

/**
 * The clocks of orgs. Where fault injection is allowed, an org's clock can be moved, so that a test can slide windows, expire
 * tokens and retire versions; every process learns of it within half a second. Elsewhere all clocks are the system
 * clock, and nothing is queried.
 */
export class OrgClocks {
  readonly #db: Db
  readonly #clock: Clock
  /** True if clocks can be moved. */
  readonly mayMove: boolean
  /** Offsets of clocks in milliseconds, by org id. */
  #ahead: ReadonlyMap<string, number> = new Map()
  #queriedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined

  constructor(db: Db, clock: Clock, mayMove: boolean) {
    this.#db = db
    this.#clock = clock
    this.mayMove = mayMove
  }

  /** The clock of an org, which follows its offset; without an id, the system clock. */
  readonly of: ClockOf = (orgId) =>
    this.mayMove && orgId !== undefined
      ? () => new Date(this.#clock().getTime() + (this.#ahead.get(orgId) ?? 0))
      : this.#clock

  /** Refreshes the offsets; undefined if they are fresh. */
  catchUp(): Promise<void> | undefined {
    if (!this.mayMove || performance.now() - this.#queriedAt < MAX_AGE_MS) return undefined
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Sets the offset of a clock from the system clock in milliseconds; 0 resets it. */
  async move(orgId: string, ahead: number): Promise<void> {
    await this.#db.query(orgSql.moveClock(orgId, Math.round(ahead)))
    this.#queriedAt = Number.NEGATIVE_INFINITY
    await this.catchUp()
  }

  async #load(): Promise<void> {
    const began = performance.now()
    const rows = await this.#db.query<{ id: string; ahead: number }>(orgSql.movedClocks)
    this.#ahead = new Map(rows.map(({ id, ahead }) => [id, ahead]))
    this.#queriedAt = began
  }
}
