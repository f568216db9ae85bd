import type { Access } from './access/access.ts'
import type { ValueCipher } from './access/value-cipher.ts'
import type { Principal } from './auth/users/principal.ts'
import type { ApiVersion } from './base/api-version.ts'
import type { Clock } from './base/clock.ts'
import type { Observe } from './base/observation.ts'
import type { Config } from './config.ts'
import type { CallFaults } from './faults/call-faults.ts'
import type { SchemaSnapshot } from './schema/snapshot/snapshot.ts'
import type { Db } from './storage/database/db.ts'
import type { Org } from './storage/orgs/org.ts'
import type { RecordIds } from './storage/orgs/record-ids.ts'

/** A call that other calls are the steps of. */
export type Container = 'composite' | 'batch' | 'graph' | 'graphql'

/** When a trigger runs. There is nothing to change or refuse before an undelete. */
export type TriggerTime =
  | 'beforeInsert'
  | 'afterInsert'
  | 'beforeUpdate'
  | 'afterUpdate'
  | 'beforeDelete'
  | 'afterDelete'
  | 'afterUndelete'

/** One record that triggers are handed: API names to values as the wire shows them. */
export interface TriggerRecord {
  /** As it is to be written, and may be changed before that; as it was written after it. Undefined: it is deleted. */
  readonly record: Record<string, unknown> | undefined
  /** As it was. Undefined: it is new. */
  readonly old: Readonly<Record<string, unknown>> | undefined
  /** What is wrong with it, put there by triggers. */
  readonly errors: { readonly message: string; readonly field?: string }[]
}

/** The triggers of a deployment. The write path runs them and knows nothing else about them. */
export interface Triggers {
  /** Where nothing listens, nothing is read for it. */
  listens(object: string, time: TriggerTime): boolean
  /**
   * Runs what listens, one after the other, in the transaction of `ctx.db`.
   * @throws ApiError when one of them failed as a whole
   */
  run(ctx: Context, object: string, time: TriggerTime, records: readonly TriggerRecord[]): Promise<void>
}

/** When a job that was put off is to run. */
export interface EnqueueOptions {
  /** Seconds from now; default 0. */
  readonly delaySeconds?: number
}

/** The background jobs of a deployment. Writes and triggers hand them work and know nothing else about them. */
export interface Background {
  /**
   * Puts a run of a job off until the transaction of `ctx.db` is committed: without it, it never was.
   * @returns id of the record that tells what became of it, a BackgroundJob
   * @throws ApiError when there is no such job
   */
  enqueue(ctx: Context, job: string, payload: unknown, options: EnqueueOptions): Promise<string>
}

/** Which records a call's user used lately. Reads and writes tell, and know nothing else about it. */
export interface Recent {
  /** He looked at records, or chose them as targets of references. */
  note(use: 'viewed' | 'referenced', recordIds: readonly string[]): void
  /** Ids of what he used, the newest use first; `prefix`: of one object. */
  list(db: Db, max: number, prefix?: string): Promise<readonly string[]>
}

/** In whose name, in which world, in which transaction a call is carried out. */
export interface Context {
  readonly org: Org
  readonly schema: SchemaSnapshot
  /** The schema as the principal has it: what he may not see is not in it, what he may not write is not writable. */
  readonly visible: SchemaSnapshot
  readonly principal: Principal
  /** What the principal may do; it also decides which records he sees. */
  readonly access: Access
  readonly version: ApiVersion
  readonly db: Db
  /** Aborts when the call has to end; its statements end by themselves then. */
  readonly deadline: AbortSignal
  /** The schema as it is by now, for a call that met tables of another one. */
  readonly refresh: (db: Db) => Promise<Pick<Context, 'schema' | 'visible'>>
  /** To be called when who may do what has changed: the next call finds it so. */
  readonly accessChanged: () => void
  readonly ids: RecordIds
  /** For the values of encrypted fields. */
  readonly cipher: ValueCipher
  /** What the call is a step of; undefined: it stands by itself. */
  readonly nested: Container | undefined
  readonly triggers: Triggers
  /** How many triggers this call is in, one inside the other. */
  readonly triggerDepth: number
  readonly background: Background
  readonly recent: Recent
  readonly clock: Clock
  /** Calls of the org in 24 hours, and how many of them are used. (docs/reference/api/limits-and-versions.md#allocation) */
  readonly allocation: { readonly calls: number; used(): number }
  /** The server's address as clients see it: `https://records.example.com`. */
  readonly origin: string
  /** What of the server's settings a call has to know. */
  readonly settings: Pick<Config, 'versions' | 'retiredVersions' | 'retirements' | 'bodyLimit'>
  readonly observe: Observe
  /** To be told which object the call works on from now on, as far as one is known: none may have all connections. */
  readonly worksOn: (object: string | undefined) => void
  /** The failures that are rehearsed in this call; undefined: none. */
  readonly faults?: CallFaults | undefined
}
