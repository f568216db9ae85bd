import { type ClockOf, secondsText } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import { besideCalls } from '../storage/database/connection-guard.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { MAX_CACHED, recentSql, type UseRow } from './recently-viewed.sql.ts'

/** How often uses are written down, in milliseconds: a process that is killed forgets no more than that. */
const BEAT = 1000

/** How a record was used: looked at, or chosen as the target of a reference. */
export type Use = 'viewed' | 'referenced'

/** When a record was used in which way. */
type Times = { readonly [Way in Use]?: Date }

/** Records used in an org since the last flush, by user and object, the newest use last. */
interface RecordViews {
  readonly org: Org
  readonly lists: Map<string, Map<string, Times>>
}

const USER_ID_LENGTH = 18

function makeRows({ lists }: RecordViews): UseRow[] {
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
export class RecentlyViewed {
  readonly #db: Db
  readonly #clockOf: ClockOf
  #views = new Map<string, RecordViews>()
  /** Uses that are being flushed. */
  readonly #storing = new Set<RecordViews>()
  #beating: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, clockOf: ClockOf) {
    this.#db = db
    this.#clockOf = clockOf
  }

  note(view: Use, org: Org, userId: string, recordIds: readonly string[]): void {
    const now = this.#clockOf(org.id)()
    const { lists } = getOrInsert(this.#views, org.id, () => ({ org, lists: new Map() }) as RecordViews)
    for (const recordId of recordIds) {
      const list = getOrInsert(lists, userId + recordId.slice(0, 3), () => new Map<string, Times>())
      const times = { ...list.get(recordId), [view]: now }
      list.delete(recordId)
      list.set(recordId, times)
      // More would be forgotten as soon as they are written down.
      if (list.size > MAX_CACHED) list.delete(list.keys().next().value!)
    }
    this.#beating ??= besideCalls(() => setTimeout(() => void this.writeDown(), BEAT).unref())
  }

  /**
   * Ids of the records that a user used, the newest use first: what is stored, and what this process has not stored yet.
   * Nothing is written for that, which a call that holds a connection would have to wait for.
   * @param db of the call that asks
   */
  async list(db: Db, org: Org, userId: string, prefix: string | undefined, max: number): Promise<string[]> {
    // Read before the database is: what is stored meanwhile is in one of the two.
    const gathered = this.#gather(org, userId, prefix)
    const rows = await db.query<{ id: string; seconds: number }>(recentSql.list(org, userId, prefix, max))
    const usedAt = new Map<string, number>()
    // Of two that were used in one second the one that is not stored yet comes first.
    for (const { id, seconds } of [...gathered.reverse(), ...rows]) {
      usedAt.set(id, Math.max(seconds, usedAt.get(id) ?? 0))
    }
    return [...usedAt]
      .sort(([, a], [, b]) => b - a)
      .slice(0, max)
      .map(([id]) => id)
  }

  /** Uses that are not stored yet, the newest last. */
  #gather(org: Org, userId: string, prefix: string | undefined): { id: string; seconds: number }[] {
    const all = [...this.#storing, this.#views.get(org.id)].flatMap((views) => {
      if (views?.org.id !== org.id) return []
      const lists = [...views.lists].filter(([key]) => key.startsWith(userId + (prefix ?? '')))
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
    const views = [...this.#views.values()]
    this.#views = new Map()
    for (const one of views) {
      this.#storing.add(one)
      this.#writing = this.#writing
        .then(() => this.#write(one))
        .catch(() => {})
        .finally(() => this.#storing.delete(one))
    }
    return this.#writing
  }

  async #write(views: RecordViews): Promise<void> {
    const { org } = views
    const rows = makeRows(views)
    await this.#db.query(recentSql.note(org, rows))
    await this.#db.query(recentSql.forget(org, [...new Set(rows.map(({ userId }) => userId))]))
  }
}
