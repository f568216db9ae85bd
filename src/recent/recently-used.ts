import { type ClockOf, secondsText } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import { besideCalls } from '../storage/connection-guard.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { MOST_REMEMBERED, recentSql, type UseRow } from './recently-used.sql.ts'

/** How often uses are written down, in milliseconds: a process that is killed forgets no more than that. */
const BEAT = 1000

/** How a record was used: looked at, or chosen as the target of a reference. */
export type Use = 'viewed' | 'referenced'

/** When a record was used in which way. */
type Times = { readonly [Way in Use]?: Date }

/** What was used in an org since it was written down last: by user and object the records, the newest use last. */
interface Uses {
  readonly org: Org
  readonly lists: Map<string, Map<string, Times>>
}

const USER_ID_LENGTH = 18

function rowsOf({ lists }: Uses): UseRow[] {
  const text = (date: Date | undefined) => (date === undefined ? null : secondsText(date))
  return [...lists].flatMap(([key, list]) =>
    [...list].map(([recordId, { viewed, referenced }]) => ({
      userId: key.slice(0, USER_ID_LENGTH),
      recordId,
      viewedAt: text(viewed),
      referencedAt: text(referenced),
    })),
  )
}

/**
 * Which records each user used lately. A read must not become a write, so uses are gathered here and written down each
 * second.
 */
export class RecentlyUsed {
  readonly #db: Db
  readonly #clockOf: ClockOf
  #uses = new Map<string, Uses>()
  /** What is being written down. */
  readonly #storing = new Set<Uses>()
  #beating: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, clockOf: ClockOf) {
    this.#db = db
    this.#clockOf = clockOf
  }

  note(use: Use, org: Org, userId: string, recordIds: readonly string[]): void {
    const now = this.#clockOf(org.id)()
    const { lists } = getOrInsert(this.#uses, org.id, () => ({ org, lists: new Map() }) as Uses)
    for (const recordId of recordIds) {
      const list = getOrInsert(lists, userId + recordId.slice(0, 3), () => new Map<string, Times>())
      const times = { ...list.get(recordId), [use]: now }
      list.delete(recordId)
      list.set(recordId, times)
      // More would be forgotten as soon as they are written down.
      if (list.size > MOST_REMEMBERED) list.delete(list.keys().next().value!)
    }
    this.#beating ??= besideCalls(() => setTimeout(() => void this.writeDown(), BEAT).unref())
  }

  /**
   * Ids of the records that a user used, the newest use first: what is stored, and what this process has not stored yet.
   * Nothing is written for that, which a call that holds a connection would have to wait for.
   * @param db of the call that asks
   */
  async list(db: Db, org: Org, userId: string, prefix: string | undefined, most: number): Promise<string[]> {
    // Read before the database is: what is stored meanwhile is in one of the two.
    const gathered = this.#gatheredOf(org, userId, prefix)
    const rows = await db.query<{ id: string; seconds: number }>(recentSql.list(org, userId, prefix, most))
    const usedAt = new Map<string, number>()
    // Of two that were used in one second the one that is not stored yet comes first.
    for (const { id, seconds } of [...gathered.reverse(), ...rows]) {
      usedAt.set(id, Math.max(seconds, usedAt.get(id) ?? 0))
    }
    return [...usedAt]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([id]) => id)
  }

  /** Uses that are not stored yet, the newest last. */
  #gatheredOf(org: Org, userId: string, prefix: string | undefined): { id: string; seconds: number }[] {
    const all = [...this.#storing, this.#uses.get(org.id)].flatMap((uses) => {
      if (uses?.org.id !== org.id) return []
      const lists = [...uses.lists].filter(([key]) => key.startsWith(userId + (prefix ?? '')))
      return lists.flatMap(([, list]) => [...list])
    })
    const seconds = ({ viewed, referenced }: Times) =>
      Math.floor(Math.max(viewed?.getTime() ?? 0, referenced?.getTime() ?? 0) / 1000)
    return all.map(([id, times]) => ({ id, seconds: seconds(times) })).sort((a, b) => a.seconds - b.seconds)
  }

  /** Writes down what was gathered. What cannot be written is forgotten: it is nothing that anybody relies on. */
  writeDown(): Promise<void> {
    clearTimeout(this.#beating)
    this.#beating = undefined
    const uses = [...this.#uses.values()]
    this.#uses = new Map()
    for (const one of uses) {
      this.#storing.add(one)
      this.#writing = this.#writing
        .then(() => this.#write(one))
        .catch(() => {})
        .finally(() => this.#storing.delete(one))
    }
    return this.#writing
  }

  async #write(uses: Uses): Promise<void> {
    const { org } = uses
    const rows = rowsOf(uses)
    await this.#db.query(recentSql.note(org, rows))
    await this.#db.query(recentSql.forget(org, [...new Set(rows.map(({ userId }) => userId))]))
  }
}
