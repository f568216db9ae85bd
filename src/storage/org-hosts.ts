import type { Db } from './db.ts'
import { orgSql } from './orgs.sql.ts'

/** How long what is known of hosts is believed, in milliseconds. */
const TRUSTED = 5000

type Hosts = ReadonlyMap<string, string>

/** Which org is reached under which host. An org without one is reached under any that is no other org's. */
export class OrgHosts {
  readonly #db: Db
  #orgs: Hosts = new Map()
  #checkedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<Hosts> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Org ids by host, in lower case. */
  all(): Hosts | Promise<Hosts> {
    if (Date.now() - this.#checkedAt < TRUSTED) return this.#orgs
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** What was just changed is asked for again. */
  forget(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  async #load(): Promise<Hosts> {
    const rows = await this.#db.query<{ id: string; host: string }>(orgSql.hosts)
    this.#orgs = new Map(rows.map(({ id, host }) => [host.toLowerCase(), id]))
    this.#checkedAt = Date.now()
    return this.#orgs
  }
}
