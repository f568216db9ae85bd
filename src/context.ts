import type { Access } from './access/access.ts'
import type { ValueCipher } from './access/value-cipher.ts'
import type { Principal } from './auth/users/principal.ts'
import type { ApiError } from './base/api-error.ts'
import type { ApiVersion } from './base/api-version.ts'
import type { Clock } from './base/clock.ts'
import type { EnqueueOptions } from './base/enqueue-options.ts'
import type { Observe } from './base/observation.ts'
import type { Config } from './config/config.ts'
import type { CallFaults } from './faults/call-faults.ts'
import type { Budget } from './formulas/language/budget.ts'
import type { AnswerBytes } from './quota/answer-bytes.ts'
import type { EventUse } from './quota/event-count.ts'
import type { ObjectType } from './schema/objects/object-type.ts'
import type { SchemaSnapshot } from './schema/snapshot/snapshot.ts'
import type { Commits } from './storage/callers-db.ts'
import type { Db } from './storage/database/db.ts'
import type { Org } from './storage/orgs/org.ts'
import type { RecordIds } from './storage/orgs/record-ids.ts'

/** A call that consists of other calls. */
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

/** One record as triggers see it: API names to JSON values. */
export interface TriggerRecord {
  /** As it is to be written, and may be changed before that; as it was written after it. Undefined: it is deleted. */
  readonly record: Record<string, unknown> | undefined
  /** As it was. Undefined: it is new. */
  readonly old: Readonly<Record<string, unknown>> | undefined
  /** Errors that triggers added. */
  readonly errors: { readonly message: string; readonly field?: string }[]
}

/** The triggers of a deployment. The write path runs them and knows nothing else about them. */
export interface Triggers {
  /** True if any trigger runs; if not, the write path does not read records for it. */
  listens(object: string, time: TriggerTime): boolean
  /** The platform events that any trigger runs for, in lower case. They run apart from whoever publishes. */
  readonly eventObjects: readonly string[]
  /**
   * Runs what listens, one after the other, in the transaction of `ctx.db`.
   * @throws ApiError when one of them failed as a whole
   */
  run(ctx: Context, object: string, time: TriggerTime, records: readonly TriggerRecord[]): Promise<void>
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

/** The processing of jobs of a kind in the background. Their routes hand it jobs and know nothing else about it. */
interface JobWork {
  /** Prepares the queue, and has this process work on it: outside of any transaction, before `queue`. */
  open(): Promise<void>
  /** Prepares the queue for jobs that other processes work on. */
  openQueue(): Promise<void>
  /** Queues a job in the transaction of `db`. */
  queue(db: Db, org: Org, jobId: string): Promise<void>
}

/** The caller's recently viewed records. Reads and writes report uses and know nothing else about it. */
interface Recent {
  /** Reports that the user viewed records, or chose them as targets of references. */
  note(use: 'viewed' | 'referenced', recordIds: readonly string[]): void
  /** Ids of recently viewed records, newest first; `prefix` limits them to one object. */
  list(db: Db, max: number, prefix?: string): Promise<readonly string[]>
}

/** How objects are searched and written, for the search indexes that are built in the background. */
interface SearchIndexes {
  /** A search named an object, or took long in it. */
  searched(object: ObjectType, isSlow: boolean): void
  wrote(object: ObjectType, records: number): void
}

/** Queries that took long. Queries report it and know nothing else about it. */
interface SlowQueryNotes {
  /**
   * @param query with its values masked
   * @param version major API version
   */
  note(query: string, version: number, milliseconds: number): void
}

/** An active PushTopic. Names are API names. (docs/adr/0046-topics.md) */
export interface Topic {
  readonly id: string
  readonly name: string
  readonly query: string
  /** The object whose records it tells of. */
  readonly object: string
  /** The selected fields, in their order. */
  readonly selected: readonly string[]
  /** The fields of its condition. */
  readonly filtered: readonly string[]
  /** An update is told of if it changes one of these; undefined: whatever it changes. */
  readonly watched: ReadonlySet<string> | undefined
  /** The changes that it tells of. */
  readonly tells: ReadonlySet<'insert' | 'update' | 'delete' | 'undelete'>
}

/** The PushTopics and generic channels of an org, as they were when the call began. */
export interface Topics {
  /** By the name of their object. Most orgs have none, and their writes pay nothing. */
  readonly byObject: ReadonlyMap<string, readonly Topic[]>
  readonly byName: ReadonlyMap<string, Topic>
  /** Ids of generic channels by name: `/u/Notifications`. */
  readonly channels: ReadonlyMap<string, string>
  /** Returns the error for a query that no topic may have; undefined: it may. */
  checkQuery(ctx: Pick<Context, 'schema' | 'version'>, query: string): ApiError | undefined
  /** The selected values of those of the records that the query of a topic finds, deleted or not, by id. */
  match(
    ctx: Context,
    topic: Topic,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>
}

/** Context of a call: principal, org, schema, database and services. */
export interface Context {
  readonly org: Org
  readonly schema: SchemaSnapshot
  /** The schema without what the principal may not see, and read-only where the principal may not write. */
  readonly visible: SchemaSnapshot
  readonly principal: Principal
  /** Rights of the principal, and the visible records. */
  readonly access: Access
  readonly version: ApiVersion
  readonly db: Db
  /** Commits of the call so far, with its other steps. */
  readonly commits: Readonly<Commits>
  /** Bounds the size of the answer: records are read through it. */
  readonly answer: AnswerBytes
  /** True for callers in this process, who calculate with numbers: the others get texts, in which each shows its fraction. */
  readonly hasNumbers?: boolean | undefined
  /** For the formulas of a list of records, within that of the call, which its steps share. */
  readonly formulaBudget: () => Budget
  /** Aborts when the call must end; its statements are cancelled then. Made at the first request for it: most calls need none. */
  readonly deadline: () => AbortSignal
  /** The schema as it is by now, for a call that met tables of another one. */
  readonly refresh: (db: Db) => Promise<Pick<Context, 'schema' | 'visible'>>
  /** Called after a change of access data, so that the next call reloads it. */
  readonly accessChanged: () => void
  readonly ids: RecordIds
  /** For the values of encrypted fields. */
  readonly cipher: ValueCipher
  /** The call that this one is a step of, if any. */
  readonly nested: Container | undefined
  readonly triggers: Triggers
  readonly topics: Topics
  /** Ids of the records that the transaction of a write has locked or waits for, if it is to know them. */
  readonly locked?: Set<string> | undefined
  /** How many triggers this call is in, one inside the other. */
  readonly triggerDepth: number
  readonly background: Background
  readonly bulk: JobWork
  /** Deployments of archives. */
  readonly deploys: Omit<JobWork, 'openQueue'>
  readonly recent: Recent
  readonly searchIndexes: SearchIndexes
  readonly slowQueries: SlowQueryNotes
  readonly clock: Clock
  /** Calls of the org in 24 hours, and how many of them are used. (docs/reference/api/limits-and-versions.md#allocation) */
  readonly allocation: { readonly calls: number; used(): number }
  /** The events of the org in their windows. (docs/reference/api/limits-and-versions.md#events) */
  readonly events: {
    readonly max: Readonly<Record<EventUse, number>>
    /** How many are used, as the database of the call knows it. */
    used(db: Db, use: EventUse): Promise<number>
    /** Counts platform events in the transaction of `db`. Returns how many may be published. */
    publish(db: Db, count: number): Promise<number>
  }
  /** The server's address as clients see it: `https://records.example.com`. */
  readonly origin: string
  /** Which API and which client of it change records, as change events say it: `com/salesforce/api/rest/64.0;client=loader`. */
  readonly source: string
  /** Server settings that a call needs. */
  readonly settings: Pick<
    Config,
    | 'versions'
    | 'retiredVersions'
    | 'retirements'
    | 'bodyLimit'
    | 'resultStorageMegabytes'
    | 'bulkStorageMegabytes'
    | 'slowStatementMilliseconds'
    | 'lenient'
  >
  readonly observe: Observe
  /** Reports the object that the call works on from now on, so that no object can use all connections. */
  readonly worksOn: (object: string | undefined) => void
  /** The faults that are injected into this call; undefined: none. */
  readonly faults?: CallFaults | undefined
}
