import type { Db } from '../../storage/database/db.ts'
import { sessionSql } from './sessions.sql.ts'

/** Maximum age of the known revocations. */
const MAX_AGE_MS = 500

/** After this time without a query, the cache is discarded as a whole: old revocations are deleted. */
const MAX_SILENCE_MS = 3600 * 1000

/** A cache of tokens. */
interface Listener {
  drop(hashes: readonly string[]): void
  dropAll(): void
}

/**
 * Reports tokens that any process revoked: one small query at most twice a second, and none while there are no calls. Each
 * looks at the transactions that had not ended at the one before, however long they take.
 */
export class RevocationFeed {
  readonly #db: Db
  readonly #listener: Listener
  #queriedAt = performance.now()
  /** The oldest transaction that had not ended at the last query; undefined before the first one. */
  #oldest: string | undefined
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
    const isFresh = this.#oldest !== undefined && performance.now() - this.#queriedAt < MAX_AGE_MS
    if (isFresh && this.#loaded === this.#expected) return undefined
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
    const before = this.#oldest
    type Revoked = { readonly oldest: string; readonly hashes: readonly string[] }
    const [revoked] = await this.#db.query<Revoked>(sessionSql.revokedSince(before ?? null))
    const { oldest, hashes } = revoked!
    // Numbers of transactions begin again when the data is restored in another database.
    const isAnother = before !== undefined && BigInt(oldest) < BigInt(before)
    if (isAnother || began - this.#queriedAt > MAX_SILENCE_MS) this.#listener.dropAll()
    else this.#listener.drop(hashes)
    this.#oldest = oldest
    this.#queriedAt = began
    this.#loaded = expected
  }
}
