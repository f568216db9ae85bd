import type { ApiVersion } from '../base/api-version.ts'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { quotaSql } from './quota.sql.ts'

const HOUR_MS = 3600 * 1000
const DAY_HOURS = 24

const add = (counts: Map<string, number>, key: string, count: number) =>
  counts.set(key, (counts.get(key) ?? 0) + count)

/** Counts the calls of an org by version and app; flushed to the database by day, and without the app by hour. */
export class VersionUse {
  readonly #db: Db
  readonly #org: Org
  readonly #clock: Clock
  /** Calls by `<hour> <version> <client id>`; hours count from 1970. */
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
    add(this.#calls, `${Math.floor(this.#clock().getTime() / HOUR_MS)} ${major} ${clientId}`, 1)
  }

  async flush(): Promise<void> {
    if (this.#calls.size === 0) return
    const calls = this.#calls
    this.#calls = new Map()
    const [byDay, byHour] = [new Map<string, number>(), new Map<string, number>()]
    for (const [key, count] of calls) {
      const [hour, version, clientId] = key.split(' ')
      add(byHour, `${hour} ${version}`, count)
      add(byDay, `${Math.floor(Number(hour) / DAY_HOURS)} ${version} ${clientId}`, count)
    }
    const days = [...byDay].map(([key, calls]) => {
      const [day, version, clientId] = key.split(' ')
      const date = new Date(Number(day) * DAY_HOURS * HOUR_MS).toISOString().slice(0, 10)
      return { day: date, version: Number(version), clientId: clientId!, calls }
    })
    const hours = [...byHour].map(([key, calls]) => {
      const [hour, version] = key.split(' ').map(Number)
      return { hour: hour!, version: version!, calls }
    })
    try {
      await this.#db.query(quotaSql.addVersions(this.#org.id, days, hours))
    } catch (error) {
      for (const [key, count] of calls) add(this.#calls, key, count)
      throw error
    }
  }
}
