import { LRUCache } from 'lru-cache'
import { Callers } from '../access/callers.ts'
import { ValueCipher } from '../access/value-cipher.ts'
import type { SecretBox } from '../auth/keys/secret-box.ts'
import { WeakValues } from '../base/get-or-insert.ts'
import { SnapshotStore } from '../schema/change/snapshot-store.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'
import { OrgTopics, type TopicSource } from './org-topics.ts'

/** State that this process keeps for an org between calls. */
export interface OrgRuntime {
  readonly org: Org
  readonly snapshots: SnapshotStore
  readonly callers: Callers
  readonly ids: RecordIds
  readonly cipher: ValueCipher
  readonly topics: OrgTopics
}

/** Orgs whose state is kept between calls. That of the org whose last call is longest ago is made again with its next call. */
const MAX_KEPT = 500

/** The orgs that this process has served lately. */
export class OrgRuntimes {
  readonly #db: Db
  readonly #secrets: SecretBox
  readonly #topics: TopicSource
  readonly #prepare: (org: Org) => Promise<void>
  readonly #kept = new LRUCache<string, OrgRuntime>({ max: MAX_KEPT })
  /** With those that calls under way hold: an org has one state at a time. */
  readonly #all = new WeakValues<OrgRuntime>()

  /** @param prepare brings an org up to date before its first call */
  constructor(
    db: Db,
    secrets: SecretBox,
    topics: TopicSource,
    prepare: (org: Org) => Promise<void> = async () => {},
  ) {
    this.#topics = topics
    this.#db = db
    this.#secrets = secrets
    this.#prepare = prepare
  }

  of(org: Org): OrgRuntime {
    const kept = this.#kept.get(org.id)
    if (kept !== undefined) return kept
    let runtime = this.#all.get(org.id)
    if (runtime === undefined) {
      runtime = this.#make(org)
      this.#all.set(org.id, runtime)
    }
    this.#kept.set(org.id, runtime)
    return runtime
  }

  /** Drops the state of orgs that were deleted. Calls under way keep theirs. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of [...this.#kept.keys()]) {
      if (ids.has(id)) continue
      this.#kept.delete(id)
      this.#all.delete(id)
    }
  }

  #make(org: Org): OrgRuntime {
    const topics = new OrgTopics(this.#topics, this.#db, org)
    const snapshots = new SnapshotStore(this.#db, org, this.#prepare, (schema, accessVersion) =>
      topics.follow(schema, accessVersion),
    )
    const callers = new Callers(this.#db, org, snapshots)
    const cipher = ValueCipher.of(this.#secrets, org)
    return { org, snapshots, callers, ids: new RecordIds(org, this.#db), cipher, topics }
  }
}
