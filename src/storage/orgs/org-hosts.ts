import { isLoopbackHost } from '../../base/loopback.ts'
import { matchesOrigin } from '../../base/origin-pattern.ts'
import type { Db } from '../database/db.ts'
import type { Org } from './org.ts'
import { orgSql } from './orgs.sql.ts'
import { findOrg } from './orgs.ts'

/** How long what is known of hosts is believed, in milliseconds. */
const TRUSTED = 5000

type OrgAtHost = Org & { readonly host: string | null; readonly origins: readonly string[] }
type Hosts = ReadonlyMap<string, string>

/** Which org is reached under which host. An org without one is reached under any that is no other org's. */
export class OrgHosts {
  readonly #db: Db
  #orgs: readonly OrgAtHost[] = []
  #hosts: Hosts = new Map()
  #hosted: ReadonlySet<string> = new Set()
  #checkedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Org ids by host, in lower case. */
  all(): Hosts | Promise<Hosts> {
    return this.#isFresh() ? this.#hosts : this.#refresh().then(() => this.#hosts)
  }

  /** Whether an org has a host of its own, as far as is known. */
  hasOwn(id: string): boolean {
    return this.#hosted.has(id)
  }

  /**
   * The org that strangers reach at a host: the host's own, else the oldest org that has none. On this machine itself one
   * with a host of its own is reached too.
   */
  async orgAt(hostname: string): Promise<Org | undefined> {
    if (!this.#isFresh()) await this.#refresh()
    const id = this.#hosts.get(hostname.replace(/:\d+$/, '').toLowerCase())
    if (id !== undefined) return this.#orgs.find((org) => org.id === id)
    const free = this.#orgs.find(({ host }) => host === null)
    return free ?? (isLoopbackHost(hostname) ? this.#orgs[0] : undefined)
  }

  /** Whether pages of an origin may call an org that is reached at a host. */
  async allowsOriginAt(hostname: string, origin: string): Promise<boolean> {
    if (!this.#isFresh()) await this.#refresh()
    const owner = this.#hosts.get(hostname.replace(/:\d+$/, '').toLowerCase())
    const isHere = isLoopbackHost(hostname) ? () => true : ({ host }: OrgAtHost) => host === null
    const reached = this.#orgs.filter((org) => (owner === undefined ? isHere(org) : org.id === owner))
    return reached.some(({ origins }) => origins.some((pattern) => matchesOrigin(pattern, origin)))
  }

  /** Whether they may call this one, as far as is known. */
  allowsOrigin(id: string, origin: string): boolean {
    const origins = this.#orgs.find((org) => org.id === id)?.origins ?? []
    return origins.some((pattern) => matchesOrigin(pattern, origin))
  }

  /** The org of an id, which may have been made just now; undefined: there is none. */
  async find(id: string): Promise<Org | undefined> {
    return this.#orgs.find((org) => org.id === id) ?? (await findOrg(this.#db, id))
  }

  /** What was just changed is asked for again. */
  forget(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  #isFresh(): boolean {
    return Date.now() - this.#checkedAt < TRUSTED
  }

  #refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    this.#orgs = await this.#db.query<OrgAtHost>(orgSql.withHosts)
    const hosted = this.#orgs.filter(({ host }) => host !== null)
    this.#hosted = new Set(hosted.map(({ id }) => id))
    this.#hosts = new Map(hosted.map(({ id, host }) => [host!.toLowerCase(), id]))
    this.#checkedAt = Date.now()
  }
}
