import type { SecretBox } from '../../auth/keys/secret-box.ts'
import type { Db, Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** What one batch of a step has reached. */
export interface Reached {
  readonly isDone: boolean
  /** Where the next batch begins; null: the step finds that out by itself. */
  readonly position?: string | null
  /** 0 to 1. */
  readonly progress: number
}

interface Named {
  /** As people read it: `search indexes`. */
  readonly name: string
  /**
   * A step is carried out again when it has another version than the one that was done. Absent: at every upgrade, as it
   * finds out by itself what is missing.
   */
  readonly version?: string
}

/** Changes records: each batch and the note of it are one transaction, so it is carried out exactly once. */
export interface RecordStep extends Named {
  readonly kind: 'records'
  /**
   * Carries out one batch, which takes less than about a second.
   * @param position what the batch before has given; null at the beginning
   * @param secrets with the server's key
   */
  run(tx: Db, org: Org, position: string | null, secrets: SecretBox): Promise<Reached>
}

/** Builds what is no data, in statements that cannot be part of a transaction. A batch that was cut off is begun again. */
export interface BuildStep extends Named {
  readonly kind: 'build'
  run(maintenance: Maintenance, org: Org): Promise<Reached>
}

/**
 * What an upgrade of an org has to do that takes time: in the background, in batches. Until it is done everything has to be
 * right without it, also what servers of the version before do.
 */
export type UpgradeStep = RecordStep | BuildStep
