import { isLoopbackHost } from '../../base/loopback.ts'
import type { Db } from '../database/db.ts'
import type { Org } from './org.ts'
import { orgSql } from './orgs.sql.ts'
import { findOrg } from './orgs.ts'
import { matchesOrigin } from './origin-pattern.ts'

/** How long the hosts of orgs are cached. */
const CACHE_MS = 5000

type OrgAtHost = Org & { readonly host: string | null; readonly origins: readonly string[] }
type Hosts = ReadonlyMap<string, string>

/** Maps hosts to orgs. An org without a host of its own is reached at any host that no other org has. */
export class OrgHosts {
  readonly #db: Db
  readonly #onLoad: (ids: ReadonlySet<string>) => void
  #orgs: readonly OrgAtHost[] = []
  #byId: ReadonlyMap<string, OrgAtHost> = new Map()
  #hosts: Hosts = new Map()
  #hosted: ReadonlySet<string> = new Set()
  #checkedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined

  /** @param onLoad called with the ids of all orgs, whenever they were loaded */
  constructor(db: Db, onLoad: (ids: ReadonlySet<string>) => void = () => {}) {
    this.#db = db
    this.#onLoad = onLoad
  }

  /** Org ids by host, in lower case. */
  all(): Hosts | Promise<Hosts> {
    return this.#isFresh() ? this.#hosts : this.#refresh().then(() => this.#hosts)
  }

  /** True if an org has a host of its own, by the cached state. */
  hasOwn(id: string): boolean {
    return this.#hosted.has(id)
  }

  /**
   * The org of unauthenticated requests to a host: the org of that host, else the oldest org without one. On loopback,
   * an org with a host of its own is used too.
   */
  async orgAt(hostname: string): Promise<Org | undefined> {
    if (!this.#isFresh()) await this.#refresh()
    const id = this.#hosts.get(hostname.replace(/:\d+$/, '').toLowerCase())
    if (id !== undefined) return this.#byId.get(id)
    const free = this.#orgs.find(({ host }) => host === null)
    return free ?? (isLoopbackHost(hostname) ? this.#orgs[0] : undefined)
  }

  /** True if pages of an origin may call an org that is reached at a host. */
  async allowsOriginAt(hostname: string, origin: string): Promise<boolean> {
    if (!this.#isFresh()) await this.#refresh()
    const owner = this.#hosts.get(hostname.replace(/:\d+$/, '').toLowerCase())
    const isHere = isLoopbackHost(hostname) ? () => true : ({ host }: OrgAtHost) => host === null
    const reached = this.#orgs.filter((org) => (owner === undefined ? isHere(org) : org.id === owner))
    return reached.some(({ origins }) => origins.some((pattern) => matchesOrigin(pattern, origin)))
  }

  /** True if pages of an origin may call an org, by the cached state. */
  allowsOrigin(id: string, origin: string): boolean {
    const origins = this.#byId.get(id)?.origins ?? []
    return origins.some((pattern) => matchesOrigin(pattern, origin))
  }

  /** The org of an id, even if it was just created; undefined if there is none. */
  async find(id: string): Promise<Org | undefined> {
    return this.#byId.get(id) ?? (await findOrg(this.#db, id))
  }

  /** Discards the cache after a change. */
  forget(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  #isFresh(): boolean {
    return Date.now() - this.#checkedAt < CACHE_MS
  }

  #refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    this.#orgs = await this.#db.query<OrgAtHost>(orgSql.withHosts)
    this.#byId = new Map(this.#orgs.map((org) => [org.id, org]))
    const hosted = this.#orgs.filter(({ host }) => host !== null)
    this.#hosted = new Set(hosted.map(({ id }) => id))
    this.#hosts = new Map(hosted.map(({ id, host }) => [host!.toLowerCase(), id]))
    this.#checkedAt = Date.now()
    this.#onLoad(new Set(this.#byId.keys()))
  }
}
