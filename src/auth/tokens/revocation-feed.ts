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
  #isExpected = false
  #loading: Promise<void> | undefined

  constructor(db: Db, listener: Listener) {
    this.#db = db
    this.#listener = listener
  }

  /** Loads new revocations; undefined if the known ones are fresh. */
  catchUp(): Promise<void> | undefined {
    if (!this.#isExpected && performance.now() - this.#queriedAt < MAX_AGE_MS) return undefined
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Makes the next call query the database. */
  expect(): void {
    this.#isExpected = true
  }

  async #load(): Promise<void> {
    this.#isExpected = false
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
  }
}
