import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { loadSnapshot, loadVersions } from '../snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { type Deployed, deploySchema, type SchemaChange } from './deploy.ts'

/** How long a snapshot is used without asking whether another process changed the schema, in milliseconds. */
const TRUSTED = 500

/** Which state the org's users, roles and permissions are in. */
interface AccessVersion {
  readonly version: number
  readonly changedAt: Date
}

/**
 * The current snapshot of one org in this process. Whether another process deployed is asked at most twice a second
 * by a one-row read, so a change is seen everywhere within a second. A failed load leaves the old one in use. The same
 * read tells the version of who may do what.
 */
export class SnapshotStore {
  readonly #db: Db
  readonly #org: Org
  #current: SchemaSnapshot | undefined
  #access: AccessVersion = { version: -1, changedAt: new Date(0) }
  #checkedAt = 0
  #loading: Promise<SchemaSnapshot> | undefined
  /** How often what is known was found to be outdated. */
  #expired = 0

  constructor(db: Db, org: Org) {
    this.#db = db
    this.#org = org
  }

  /** The snapshot for a call that starts now. */
  current(): SchemaSnapshot | Promise<SchemaSnapshot> {
    if (this.#current !== undefined && Date.now() - this.#checkedAt < TRUSTED) return this.#current
    if (this.#loading === undefined) {
      const loading: Promise<SchemaSnapshot> = this.#check().finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
      this.#loading = loading
    }
    return this.#loading
  }

  /** As it was when the snapshot was asked for last. */
  get access(): AccessVersion {
    return this.#access
  }

  /** Whoever asks next is told what is in the database, not what was there half a second ago. */
  expire(): void {
    this.#expired++
    this.#checkedAt = 0
    // What is being read may be from before.
    this.#loading = undefined
  }

  /**
   * The snapshot as it is by now, whatever was found half a second ago.
   * @param db of the call that asks: it may hold a connection already
   */
  async reload(db: Db): Promise<SchemaSnapshot> {
    this.#take(await loadSnapshot(db, this.#org))
    // Who may do what is not read here.
    this.expire()
    return this.#current!
  }

  /**
   * Changes the schema; calls that start afterwards in this process see it at once.
   * @param db of the call that changes it: that takes longer than what is known of an org may take to be read
   */
  async deploy(db: Db, change: SchemaChange): Promise<Deployed> {
    const deployed = await deploySchema(db, this.#org, change)
    this.#take(deployed.schema)
    return deployed
  }

  async #check(): Promise<SchemaSnapshot> {
    const known = this.#current
    const expired = this.#expired
    try {
      const { version, accessVersion, accessChangedAt } = await loadVersions(this.#db, this.#org)
      if (expired === this.#expired && accessVersion !== this.#access.version) {
        this.#access = { version: accessVersion, changedAt: new Date(accessChangedAt * 1000) }
      }
      const current = known?.version === version ? known : await loadSnapshot(this.#db, this.#org)
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
