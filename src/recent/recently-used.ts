import { type ClockOf, secondsText } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { recentSql, type UseRow } from './recently-used.sql.ts'

/** How often uses are written down, in milliseconds: a process that is killed forgets no more than that. */
const BEAT = 1000

/** More uses of an org than this are written down at once, so that they take no memory. */
const MOST_KEPT = 5000

/** How a record was used: looked at, or chosen as the target of a reference. */
export type Use = 'viewed' | 'referenced'

/** What was used in an org since it was written down last. */
interface Uses {
  readonly org: Org
  readonly rows: Map<string, UseRow>
}

/**
 * Which records each user used lately. A read must not become a write, so uses are gathered here and written down each
 * second; whoever asks in this process has them written first. (contract/records 2.5)
 */
export class RecentlyUsed {
  readonly #db: Db
  readonly #clockOf: ClockOf
  #uses = new Map<string, Uses>()
  #beating: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, clockOf: ClockOf) {
    this.#db = db
    this.#clockOf = clockOf
  }

  note(use: Use, org: Org, userId: string, recordIds: readonly string[]): void {
    const now = secondsText(this.#clockOf(org.id)())
    const { rows } = getOrInsert(this.#uses, org.id, () => ({ org, rows: new Map<string, UseRow>() }))
    for (const recordId of recordIds) {
      const key = userId + recordId
      const { viewedAt = null, referencedAt = null } = rows.get(key) ?? {}
      rows.set(key, {
        ...{ userId, recordId },
        viewedAt: use === 'viewed' ? now : viewedAt,
        referencedAt: use === 'referenced' ? now : referencedAt,
      })
    }
    if (rows.size > MOST_KEPT) void this.writeDown()
    else this.#beating ??= setTimeout(() => void this.writeDown(), BEAT).unref()
  }

  /** Ids of the records that a user used, the newest use first. */
  async list(org: Org, userId: string, prefix: string | undefined, most: number): Promise<string[]> {
    await this.writeDown()
    const rows = await this.#db.query<{ id: string }>(recentSql.list(org, userId, prefix, most))
    return rows.map(({ id }) => id)
  }

  /** Writes down what was gathered. What cannot be written is forgotten: it is nothing that anybody relies on. */
  writeDown(): Promise<void> {
    clearTimeout(this.#beating)
    this.#beating = undefined
    const uses = [...this.#uses.values()]
    this.#uses = new Map()
    for (const one of uses) this.#writing = this.#writing.then(() => this.#write(one)).catch(() => {})
    return this.#writing
  }

  async #write({ org, rows }: Uses): Promise<void> {
    const noted = [...rows.values()]
    await this.#db.query(recentSql.note(org, noted))
    await this.#db.query(recentSql.forget(org, [...new Set(noted.map(({ userId }) => userId))]))
  }
}
