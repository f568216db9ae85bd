import { createHash } from 'node:crypto'
import { getOrInsert } from '../base/get-or-insert.ts'
import { besideCalls } from '../storage/database/connection-guard.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { MAX_QUERIES, type NotedRow, slowQuerySql } from './slow-queries.sql.ts'

/** How often noted queries are stored, in milliseconds: a process that is killed forgets no more than that. */
const STORE_INTERVAL_MS = 2000

/** Longer queries are not noted. */
const MAX_CHARACTERS = 4000

/** A query that was slow, with its values masked. Times are seconds since 1970. */
export interface SlowQuery {
  readonly id: string
  readonly query: string
  /** Major API version of the last request with it. */
  readonly version: number
  readonly times: number
  /** Of all times together. */
  readonly milliseconds: number
  readonly maxMilliseconds: number
  readonly firstAt: number
  readonly lastAt: number
}

const makeKey = (query: string) => createHash('sha256').update(query).digest('hex').slice(0, 16)

/** Notes the queries of all orgs that took long. A query does not wait for that: what was noted is stored later. */
export class SlowQueries {
  readonly #db: Db
  #noted = new Map<string, Map<string, NotedRow>>()
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /** @param query with its values masked */
  note(orgId: string, query: string, version: number, milliseconds: number): void {
    if (query.length > MAX_CHARACTERS) return
    const rows = getOrInsert(this.#noted, orgId, () => new Map<string, NotedRow>())
    const known = rows.get(query)
    if (known === undefined && rows.size >= MAX_QUERIES) return
    rows.set(query, {
      key: known?.key ?? makeKey(query),
      query,
      version,
      times: (known?.times ?? 0) + 1,
      milliseconds: (known?.milliseconds ?? 0) + milliseconds,
      maxMilliseconds: Math.max(known?.maxMilliseconds ?? 0, milliseconds),
    })
    this.#timer ??= besideCalls(() => setTimeout(() => void this.store(), STORE_INTERVAL_MS).unref())
  }

  /** Stores what was noted. What cannot be stored is forgotten. */
  store(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const noted = this.#noted
    this.#noted = new Map()
    for (const [orgId, rows] of noted) {
      this.#storing = this.#storing.then(() => this.#write(orgId, [...rows.values()])).catch(() => {})
    }
    return this.#storing
  }

  async #write(orgId: string, rows: readonly NotedRow[]): Promise<void> {
    await this.#db.query(slowQuerySql.note(orgId, rows))
    await this.#db.query(slowQuerySql.forget(orgId))
  }

  /** The slow queries of an org that any server noted; those that took longest in all come first. */
  async list(db: Db, org: Org): Promise<SlowQuery[]> {
    await this.store()
    return db.query<SlowQuery>(slowQuerySql.list(org.id))
  }

  async find(db: Db, org: Org, id: string): Promise<SlowQuery | undefined> {
    const [found] = await db.query<SlowQuery>(slowQuerySql.find(org.id, id))
    return found
  }

  async clear(db: Db, org: Org): Promise<void> {
    this.#noted.delete(org.id)
    await db.query(slowQuerySql.clear(org.id))
  }
}
