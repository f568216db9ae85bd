import type { ApiVersion } from '../base/api-version.ts'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { quotaSql } from './quota.sql.ts'

const DAY_MS = 24 * 3600 * 1000

/** Counts the calls of an org by version and app; flushed to the database by day. */
export class VersionUse {
  readonly #db: Db
  readonly #org: Org
  readonly #clock: Clock
  /** Calls by `<day> <version> <client id>`; days count from 1970. */
  #calls = new Map<string, number>()

  constructor(db: Db, org: Org, clock: Clock) {
    this.#db = db
    this.#org = org
    this.#clock = clock
  }

  get isIdle(): boolean {
    return this.#calls.size === 0
  }

  note({ major }: ApiVersion, clientId = ''): void {
    const key = `${Math.floor(this.#clock().getTime() / DAY_MS)} ${major} ${clientId}`
    this.#calls.set(key, (this.#calls.get(key) ?? 0) + 1)
  }

  async flush(): Promise<void> {
    if (this.#calls.size === 0) return
    const calls = this.#calls
    this.#calls = new Map()
    const keys = [...calls.keys()].map((key) => key.split(' '))
    const days = keys.map(([day]) => new Date(Number(day) * DAY_MS).toISOString().slice(0, 10))
    const versions = keys.map(([, version]) => Number(version))
    const clients = keys.map(([, , clientId]) => clientId!)
    try {
      await this.#db.query(quotaSql.addVersions(this.#org.id, days, versions, clients, [...calls.values()]))
    } catch (error) {
      for (const [key, count] of calls) this.#calls.set(key, (this.#calls.get(key) ?? 0) + count)
      throw error
    }
  }
}
