import type { Clock, ClockOf } from '../../base/clock.ts'
import type { Db } from '../database/db.ts'
import { orgSql } from './orgs.sql.ts'

/** How old what is known of moved clocks may be, in milliseconds. */
const FRESH = 500

/**
 * The clocks of orgs. Where failures may be rehearsed an org's clock can be moved, so that windows slide, tokens expire and
 * versions retire when a test wants it; every process learns of it within half a second. Elsewhere all clocks are the
 * machine's, and nothing is asked.
 */
export class OrgClocks {
  readonly #db: Db
  readonly #clock: Clock
  /** Whether clocks can be moved here. */
  readonly mayMove: boolean
  /** Milliseconds that clocks are ahead, by the ids of orgs. */
  #ahead: ReadonlyMap<string, number> = new Map()
  #queriedAt = Number.NEGATIVE_INFINITY
  #queryContext: Promise<void> | undefined

  constructor(db: Db, clock: Clock, mayMove: boolean) {
    this.#db = db
    this.#clock = clock
    this.mayMove = mayMove
  }

  /** The clock of an org; it follows when it is moved. Undefined: the machine's. */
  readonly of: ClockOf = (orgId) =>
    this.mayMove && orgId !== undefined
      ? () => new Date(this.#clock().getTime() + (this.#ahead.get(orgId) ?? 0))
      : this.#clock

  /** Undefined: what is known is fresh. */
  catchUp(): Promise<void> | undefined {
    if (!this.mayMove || performance.now() - this.#queriedAt < FRESH) return undefined
    this.#queryContext ??= this.#ask().finally(() => {
      this.#queryContext = undefined
    })
    return this.#queryContext
  }

  /** Sets how many milliseconds a clock is ahead of the machine's; 0 puts it back. */
  async move(orgId: string, ahead: number): Promise<void> {
    await this.#db.query(orgSql.moveClock(orgId, Math.round(ahead)))
    this.#queriedAt = Number.NEGATIVE_INFINITY
    await this.catchUp()
  }

  async #ask(): Promise<void> {
    const began = performance.now()
    const rows = await this.#db.query<{ id: string; ahead: number }>(orgSql.movedClocks)
    this.#ahead = new Map(rows.map(({ id, ahead }) => [id, ahead]))
    this.#queriedAt = began
  }
}
