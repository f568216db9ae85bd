import { Callers } from '../access/callers.ts'
import { ValueCipher } from '../access/value-cipher.ts'
import type { SecretBox } from '../auth/keys/secret-box.ts'
import { SnapshotStore } from '../schema/change/snapshot-store.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'

/** State that this process keeps for an org between calls. */
export interface OrgRuntime {
  readonly org: Org
  readonly snapshots: SnapshotStore
  readonly callers: Callers
  readonly ids: RecordIds
  readonly cipher: ValueCipher
}

/** The orgs that this process has served so far. */
export class OrgRuntimes {
  readonly #db: Db
  readonly #secrets: SecretBox
  readonly #runtimes = new Map<string, OrgRuntime>()

  constructor(db: Db, secrets: SecretBox) {
    this.#db = db
    this.#secrets = secrets
  }

  of(org: Org): OrgRuntime {
    let runtime = this.#runtimes.get(org.id)
    if (runtime === undefined) {
      const snapshots = new SnapshotStore(this.#db, org)
      const callers = new Callers(this.#db, org, snapshots)
      const cipher = ValueCipher.of(this.#secrets, org)
      runtime = { org, snapshots, callers, ids: new RecordIds(org, this.#db), cipher }
      this.#runtimes.set(org.id, runtime)
    }
    return runtime
  }

  /** Drops the state of orgs that were deleted. Calls under way keep theirs. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#runtimes.keys()) if (!ids.has(id)) this.#runtimes.delete(id)
  }
}
