import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { journalSql } from './journal.sql.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Interval of flushing entries to the database. */
const FLUSH_INTERVAL_MS = 500

/** Maximum number of entries in a report; older ones are left out. */
const MAX_JOURNAL_LENGTH = 200_000

/** Number of revoked tokens whose app is remembered. */
const MAX_REVOKED_TOKENS = 1000

/** Retention of entries. */
const RETENTION_MS = 7 * 24 * 3600 * 1000

/**
 * Records the calls to the orgs of this process, for the report of a test run. Entries are flushed in batches, so that calls
 * do not wait for it.
 */
export class Journal {
  readonly #db: Db
  readonly #clock: Clock
  readonly #revokedTokens = new LRUCache<string, string>({ max: MAX_REVOKED_TOKENS })
  #entries = new Map<string, JournalEntry[]>()
  /** Entries that are being made or flushed. A report waits for them, so that it has every call that was answered before. */
  readonly #pending = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  note(orgId: string, entry: JournalEntry): void {
    const entries = this.#entries.get(orgId)
    if (entries === undefined) this.#entries.set(orgId, [entry])
    else entries.push(entry)
    // A journal that cannot be written must not fail a call.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), FLUSH_INTERVAL_MS).unref()
  }

  /** Announces an entry that has to be looked up before it can be noted. */
  expect(entry: Promise<void>): void {
    const pending = entry.catch(() => {}).finally(() => this.#pending.delete(pending))
    this.#pending.add(pending)
  }

  /** A fault revoked a token. Remembers its app, to attribute later calls that use it. */
  lose(tokenHash: string, clientId: string | undefined): void {
    if (clientId !== undefined) this.#revokedTokens.set(tokenHash, clientId)
  }

  /** The app whose token a fault revoked in this process. */
  loserOf(tokenHash: string): string | undefined {
    return this.#revokedTokens.get(tokenHash)
  }

  /** Records that an app was issued a token. */
  noteToken({ org, clientId }: { readonly org: Org; readonly clientId: string }): void {
    const nothing = { method: '', route: '', version: '', status: 200, code: '', fault: '' }
    const time = { beganAt: this.#clock().getTime(), milliseconds: 0 }
    const none = { sameness: '', samenessInAnyVersion: '' }
    this.note(org.id, { kind: 'token', isCounted: false, clientId, ...time, ...nothing, ...none })
  }

  /** Flushes entries to the database. */
  async flush(): Promise<void> {
    const flushing = this.#flush()
    this.expect(flushing)
    return flushing
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const noted = this.#entries
    this.#entries = new Map()
    for (const [orgId, entries] of noted) {
      await this.#db.query(journalSql.insert(orgId, entries))
      await this.#db.query(journalSql.deleteOld(orgId, entries[0]!.beganAt - RETENTION_MS))
    }
  }

  /** The newest entries of an org, oldest first. */
  async read({ id }: Org): Promise<readonly JournalEntry[]> {
    await this.#flushAll()
    const rows = await this.#db.query<JournalEntry & { clientId: string | null }>(
      journalSql.newest(id, MAX_JOURNAL_LENGTH),
    )
    return rows.map((row) => ({ ...row, clientId: row.clientId ?? undefined }))
  }

  /** Deletes the entries of an org: the next report starts from here. */
  async clear({ id }: Org): Promise<void> {
    await this.#flushAll()
    await this.#db.query(journalSql.clear(id))
  }

  async #flushAll(): Promise<void> {
    await Promise.all(this.#pending)
    await this.flush()
  }
}
