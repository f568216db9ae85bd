import type { Db } from '../../storage/database/db.ts'
import { sessionSql } from './sessions.sql.ts'

/** How old what is known of revocations may be, in milliseconds. */
const FRESH = 500

/** A transaction that took a token away may have been under way this long before it was seen, in seconds. */
const OVERLAP = 10

/** After this long in silence everything is read anew, in seconds. */
const MAX_SILENCE = 3600

/** What loses tokens. */
interface Listener {
  drop(hashes: readonly string[]): void
  dropAll(): void
}

/**
 * Tells which tokens were taken away, by whatever process: one small query at most twice a second, and none while
 * nobody calls. The time is that of the machine, since it is about processes and not about records.
 */
export class RevocationFeed {
  readonly #db: Db
  readonly #listener: Listener
  #queriedAt = performance.now()
  #isExpected = false
  #queryContext: Promise<void> | undefined

  constructor(db: Db, listener: Listener) {
    this.#db = db
    this.#listener = listener
  }

  /** Undefined: what is known is fresh. */
  catchUp(): Promise<void> | undefined {
    if (!this.#isExpected && performance.now() - this.#queriedAt < FRESH) return undefined
    this.#queryContext ??= this.#ask().finally(() => {
      this.#queryContext = undefined
    })
    return this.#queryContext
  }

  /** The next call asks, however fresh what is known is. */
  expect(): void {
    this.#isExpected = true
  }

  async #ask(): Promise<void> {
    this.#isExpected = false
    const began = performance.now()
    const silence = (began - this.#queriedAt) / 1000
    if (silence > MAX_SILENCE) {
      this.#listener.dropAll()
    } else {
      const rows = await this.#db.query<{ tokenHash: string }>(sessionSql.revokedSince(silence + OVERLAP))
      this.#listener.drop(rows.map(({ tokenHash }) => tokenHash))
    }
    this.#queriedAt = began
  }
}
