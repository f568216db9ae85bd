import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { journalSql } from './journal.sql.ts'
import type { JournalEntry } from './journal-entry.ts'

/** How often entries are written down, in milliseconds. */
const BEAT = 500

/** A longer journal is of its newest calls. */
export const MAX_JOURNAL_LENGTH = 200_000

/** So many tokens that were taken away are remembered. */
const MAX_LOST = 1000

/** How long entries are kept, in milliseconds. */
const KEPT = 7 * 24 * 3600 * 1000

/**
 * What calls came to the orgs of this process, for the report of a test run. Entries are written down a moment later, all
 * at once, so that no call waits for it.
 */
export class Journal {
  readonly #db: Db
  readonly #clock: Clock
  readonly #lost = new LRUCache<string, string>({ max: MAX_LOST })
  #entries = new Map<string, JournalEntry[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  note(orgId: string, entry: JournalEntry): void {
    const entries = this.#entries.get(orgId)
    if (entries === undefined) this.#entries.set(orgId, [entry])
    else entries.push(entry)
    // A journal that cannot be written is no reason to fail a call.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), BEAT).unref()
  }

  /** A token was taken away in a rehearsal: whose it was is still to be known when it comes again. */
  lose(tokenHash: string, clientId: string | undefined): void {
    if (clientId !== undefined) this.#lost.set(tokenHash, clientId)
  }

  /** The app that a token was taken from; undefined: none in this process. */
  loserOf(tokenHash: string): string | undefined {
    return this.#lost.get(tokenHash)
  }

  /** An app was given a token. */
  noteToken({ org, clientId }: { readonly org: Org; readonly clientId: string }): void {
    const nothing = { method: '', route: '', version: '', status: 200, code: '', fault: '' }
    const time = { beganAt: this.#clock().getTime(), milliseconds: 0 }
    const none = { sameness: '', samenessInAnyVersion: '' }
    this.note(org.id, { kind: 'token', isCounted: false, clientId, ...time, ...nothing, ...none })
  }

  /** Writes down what was noted so far. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const noted = this.#entries
    this.#entries = new Map()
    for (const [orgId, entries] of noted) {
      await this.#db.query(journalSql.insert(orgId, entries))
      await this.#db.query(journalSql.deleteOld(orgId, entries[0]!.beganAt - KEPT))
    }
  }

  /** The newest calls of an org, the oldest of them first. */
  async read({ id }: Org): Promise<readonly JournalEntry[]> {
    await this.flush()
    const rows = await this.#db.query<JournalEntry & { clientId: string | null }>(
      journalSql.newest(id, MAX_JOURNAL_LENGTH),
    )
    return rows.map((row) => ({ ...row, clientId: row.clientId ?? undefined }))
  }

  /** Begins anew: the next report is of what comes from now on. */
  async clear({ id }: Org): Promise<void> {
    await this.flush()
    await this.#db.query(journalSql.clear(id))
  }
}
