import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { type Deployed, deploySchema, type SchemaChange } from './deploy.ts'
import { loadSnapshot, loadVersion } from './load-snapshot.ts'
import type { SchemaSnapshot } from './snapshot.ts'

/** How long a snapshot is used without asking whether another process changed the schema, in milliseconds. */
const TRUSTED = 500

/**
 * The current snapshot of one org in this process. Whether another process deployed is asked at most twice a second
 * by a one-row read, so a change is seen everywhere within a second. A failed load leaves the old one in use.
 */
export class SnapshotStore {
  readonly #db: Db
  readonly #org: Org
  #current: SchemaSnapshot | undefined
  #checkedAt = 0
  #loading: Promise<SchemaSnapshot> | undefined

  constructor(db: Db, org: Org) {
    this.#db = db
    this.#org = org
  }

  /** The snapshot for a call that starts now. */
  current(): SchemaSnapshot | Promise<SchemaSnapshot> {
    if (this.#current !== undefined && Date.now() - this.#checkedAt < TRUSTED) return this.#current
    this.#loading ??= this.#check().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** The snapshot as it is by now, whatever was found half a second ago. */
  async reload(): Promise<SchemaSnapshot> {
    return this.#take(await loadSnapshot(this.#db, this.#org))
  }

  /** Changes the schema; calls that start afterwards in this process see it at once. */
  async deploy(change: SchemaChange): Promise<Deployed> {
    const deployed = await deploySchema(this.#db, this.#org, change)
    this.#take(deployed.schema)
    return deployed
  }

  async #check(): Promise<SchemaSnapshot> {
    const known = this.#current
    try {
      const { version } = await loadVersion(this.#db, this.#org)
      return this.#take(known?.version === version ? known : await loadSnapshot(this.#db, this.#org))
    } catch (error) {
      if (known === undefined) throw error
      return this.#take(known)
    }
  }

  #take(snapshot: SchemaSnapshot): SchemaSnapshot {
    if (this.#current === undefined || snapshot.version >= this.#current.version) this.#current = snapshot
    this.#checkedAt = Date.now()
    return this.#current
  }
}
