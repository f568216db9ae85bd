import type { ErrorItem } from '../../base/api-error.ts'
import type { EnqueueOptions } from '../../base/enqueue-options.ts'

/** A record as the API answers it: `attributes`, then its fields. */
type RecordBody = Record<string, unknown>

export type Fields = Readonly<Record<string, unknown>>

export interface WriteOptions {
  /** Default true: when one record is refused nothing is written, and the first error is thrown. */
  readonly allOrNone?: boolean
}

/** The result for one record. */
export interface WriteResult {
  readonly id?: string | undefined
  readonly success: boolean
  readonly created?: boolean | undefined
  readonly errors: readonly ErrorItem[]
}

/** A record by its id, or by the value of one of its keys: `{ Email__c: 'a@example.com' }`. */
export type RecordKey = string | Readonly<Record<string, unknown>>

/** The API of the org for deployed code. Operations run as the caller, in the transaction of the call. */
export interface DeployedOrg {
  /** Id of the user the code runs as. */
  readonly userId: string
  /**
   * Returns all records of a query, at most 50,000.
   * @param values of the `:names` in the query, bound as parameters
   */
  query(soql: string, values?: Readonly<Record<string, unknown>>): Promise<RecordBody[]>
  /** Returns one record with the given fields, by default all; undefined when the caller sees no such record. */
  read(object: string, key: RecordKey, fields?: readonly string[]): Promise<RecordBody | undefined>
  create(object: string, records: readonly Fields[], options?: WriteOptions): Promise<WriteResult[]>
  /** Each record with its `Id`. */
  update(object: string, records: readonly Fields[], options?: WriteOptions): Promise<WriteResult[]>
  /** Each record with the value of `key`, an external id field. */
  upsert(
    object: string,
    key: string,
    records: readonly Fields[],
    options?: WriteOptions,
  ): Promise<WriteResult[]>
  delete(object: string, ids: readonly string[], options?: WriteOptions): Promise<WriteResult[]>
  /** Restores records from the recycle bin, with records that were deleted with them. */
  undelete(object: string, ids: readonly string[], options?: WriteOptions): Promise<WriteResult[]>
  /**
   * Enqueues a job of the deployment. It runs after the transaction is committed.
   * @returns id of its record, a BackgroundJob
   */
  enqueue(job: string, payload?: unknown, options?: EnqueueOptions): Promise<string>
  /** Writes a line into the server's log. */
  log(message: unknown): Promise<void>
}
