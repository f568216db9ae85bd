import type { SecretBox } from '../../auth/keys/secret-box.ts'
import type { Db, Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** The progress of a step after a batch. */
export interface Reached {
  readonly isDone: boolean
  /** Start of the next batch; null when the step determines it itself. */
  readonly position?: string | null
  /** 0 to 1. */
  readonly progress: number
}

interface Named {
  /** Name for people: `search indexes`. */
  readonly name: string
  /**
   * A step runs again when its version differs from the completed one. Without a version it runs at every upgrade and
   * determines itself what is missing.
   */
  readonly version?: string
  /** True if it follows from everyday work too: the log says nothing of it. */
  readonly isRoutine?: boolean
}

/** Changes records. A batch and its progress are one transaction, so each batch runs exactly once. */
export interface RecordStep extends Named {
  readonly kind: 'records'
  /**
   * Runs one batch, which should take less than a second.
   * @param position from the result of the batch before; null for the first
   * @param secrets with the server's key
   */
  run(tx: Db, org: Org, position: string | null, secrets: SecretBox): Promise<Reached>
}

/**
 * Builds indexes and constraints in statements that cannot run in a transaction. An interrupted batch starts again.
 */
export interface BuildStep extends Named {
  readonly kind: 'build'
  /** @param position from the result of the batch before; null for the first */
  run(maintenance: Maintenance, org: Org, position: string | null): Promise<Reached>
}

/**
 * Slow work of an org's upgrade, done in the background in batches. Until it is done, this version and servers of the
 * previous version must work correctly without it.
 */
export type UpgradeStep = RecordStep | BuildStep
