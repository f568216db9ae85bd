import type { Location } from '../../base/json-reader.ts'

/** One record as the client sent it. */
export interface RecordInput {
  readonly members: Readonly<Record<string, unknown>>
  /** The location of a member's value in the request body. */
  readonly locate: (path: readonly (string | number)[]) => Location
}

/** An upsert becomes a create or an update once its key has been looked up. */
export type Purpose = 'create' | 'update' | 'upsert'
