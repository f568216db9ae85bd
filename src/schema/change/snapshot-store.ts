import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { loadSnapshot, loadVersions } from '../snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { type Deployed, deploySchema, type SchemaChange } from './deploy.ts'

/** How long a snapshot is used before the store checks for a change by another process. */
const MAX_AGE_MS = 500

/** The version of the org's users, roles and permissions. */
interface AccessVersion {
  readonly version: number
  readonly changedAt: Date
}

/**
 * The current snapshot of one org in this process. It checks for deployments by other processes at most twice a second
 * with a one-row read, so a change is visible everywhere within a second. If a load fails, the old snapshot stays in
 * use. The same read returns the version of the access data.
 */
export class SnapshotStore {
  readonly #db: Db
  readonly #org: Org
  readonly #prepare: (org: Org) => Promise<void>
  readonly #follow: (schema: SchemaSnapshot, accessVersion: number) => Promise<void>
  #current: SchemaSnapshot | undefined
  #access: AccessVersion = { version: -1, changedAt: new Date(0) }
  #checkedAt = 0
  #loading: Promise<SchemaSnapshot> | undefined
  /** Counts expirations, to detect one during a load. */
  #expired = 0

  /**
   * @param prepare brings the org up to date before its schema is loaded for the first time
   * @param follow is told of what each check found, before calls go on with it
   */
  constructor(
    db: Db,
    org: Org,
    prepare: (org: Org) => Promise<void> = async () => {},
    follow: (schema: SchemaSnapshot, accessVersion: number) => Promise<void> = async () => {},
  ) {
    this.#db = db
    this.#org = org
    this.#prepare = prepare
    this.#follow = follow
  }

  /** The snapshot for a call that starts now. */
  current(): SchemaSnapshot | Promise<SchemaSnapshot> {
    if (this.#current !== undefined && Date.now() - this.#checkedAt < MAX_AGE_MS) return this.#current
    if (this.#loading === undefined) {
      const loading: Promise<SchemaSnapshot> = this.#check().finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
      this.#loading = loading
    }
    return this.#loading
  }

  /** The access version at the last check. */
  get access(): AccessVersion {
    return this.#access
  }

  /** Makes the next call check the database. */
  expire(): void {
    this.#expired++
    this.#checkedAt = 0
    // A running load may have read the old state.
    this.#loading = undefined
  }

  /**
   * Loads the snapshot again, whatever the age of the current one.
   * @param db of the calling request, which may already hold a connection
   */
  async reload(db: Db): Promise<SchemaSnapshot> {
    this.#take(await loadSnapshot(db, this.#org))
    // The access version is not read here.
    this.expire()
    return this.#current!
  }

  /**
   * Changes the schema; calls that start afterwards in this process see the change at once.
   * @param db of the calling request: a deployment takes longer than the store's own reads may
   */
  async deploy(db: Db, change: SchemaChange): Promise<Deployed> {
    const deployed = await deploySchema(db, this.#org, change)
    this.#take(deployed.schema)
    // Nor is it here: a change of access that nobody has looked for yet must still be found.
    this.expire()
    return deployed
  }

  async #check(): Promise<SchemaSnapshot> {
    const known = this.#current
    const expired = this.#expired
    if (known === undefined) await this.#prepare(this.#org)
    try {
      const { version, accessVersion, accessChangedAt } = await loadVersions(this.#db, this.#org)
      if (expired === this.#expired && accessVersion !== this.#access.version) {
        this.#access = { version: accessVersion, changedAt: new Date(accessChangedAt * 1000) }
      }
      const current = known?.version === version ? known : await loadSnapshot(this.#db, this.#org)
      await this.#follow(current, accessVersion)
      return this.#take(current, expired)
    } catch (error) {
      if (known === undefined) throw error
      return this.#take(known, expired)
    }
  }

  #take(snapshot: SchemaSnapshot, expired = this.#expired): SchemaSnapshot {
    if (this.#current === undefined || snapshot.version >= this.#current.version) this.#current = snapshot
    if (expired === this.#expired) this.#checkedAt = Date.now()
    return this.#current
  }
}
