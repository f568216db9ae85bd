import type { Db } from '../../storage/database/db.ts'
import { sessionSql } from './sessions.sql.ts'

/** Maximum age of the known revocations. */
const MAX_AGE_MS = 500

/** Queries overlap by this time, because a revoking transaction may run this long before its rows become visible. */
const OVERLAP_SECONDS = 10

/** After this time without a query, the cache is discarded as a whole. */
const MAX_SILENCE_SECONDS = 3600

/** A cache of tokens. */
interface Listener {
  drop(hashes: readonly string[]): void
  dropAll(): void
}

/**
 * Reports tokens that any process revoked: one small query at most twice a second, and none while there are no calls. It
 * uses the system clock, since it concerns processes and not records.
 */
export class RevocationFeed {
  readonly #db: Db
  readonly #listener: Listener
  #queriedAt = performance.now()
  /** How often `expect` was called, and the number of those calls whose revocations are loaded. */
  #expected = 0
  #loaded = 0
  #loading: Promise<void> | undefined

  constructor(db: Db, listener: Listener) {
    this.#db = db
    this.#listener = listener
  }

  /** Loads new revocations; undefined if the known ones are fresh. */
  catchUp(): Promise<void> | undefined {
    if (this.#loaded === this.#expected && performance.now() - this.#queriedAt < MAX_AGE_MS) return undefined
    return this.#reach(this.#expected)
  }

  async #reach(expected: number): Promise<void> {
    await this.#query()
    // That query may have begun before.
    if (this.#loaded < expected) await this.#query()
  }

  #query(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Makes the calls that come from now on wait for a query. */
  expect(): void {
    this.#expected++
  }

  async #load(): Promise<void> {
    const expected = this.#expected
    const began = performance.now()
    const silence = (began - this.#queriedAt) / 1000
    if (silence > MAX_SILENCE_SECONDS) {
      this.#listener.dropAll()
    } else {
      const rows = await this.#db.query<{ tokenHash: string }>(
        sessionSql.revokedSince(silence + OVERLAP_SECONDS),
      )
      this.#listener.drop(rows.map(({ tokenHash }) => tokenHash))
    }
    this.#queriedAt = began
    this.#loaded = expected
  }
}
