import { SnapshotStore } from '../schema/snapshot-store.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { RecordIds } from '../storage/record-ids.ts'

/** What this process keeps for an org between calls. */
export interface OrgRuntime {
  readonly org: Org
  readonly snapshots: SnapshotStore
  readonly ids: RecordIds
}

/** The orgs that this process has served so far. */
export class OrgRuntimes {
  readonly #db: Db
  readonly #runtimes = new Map<string, OrgRuntime>()

  constructor(db: Db) {
    this.#db = db
  }

  of(org: Org): OrgRuntime {
    let runtime = this.#runtimes.get(org.id)
    if (runtime === undefined) {
      runtime = { org, snapshots: new SnapshotStore(this.#db, org), ids: new RecordIds(org, this.#db) }
      this.#runtimes.set(org.id, runtime)
    }
    return runtime
  }
}
