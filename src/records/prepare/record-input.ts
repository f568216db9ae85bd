import type { ApiError } from '../../base/api-error.ts'
import type { Location } from '../../base/json-reader.ts'

/** One record as the client sent it. */
export interface RecordInput {
  readonly members: Readonly<Record<string, unknown>>
  /** The location of a member's value in the request body. */
  readonly locate: (path: readonly (string | number)[]) => Location
  /** The error for a value of the wrong kind, where the input is no JSON. */
  readonly refuseKind?: (kind: string, value: unknown, path: readonly (string | number)[]) => ApiError
}

/** An upsert becomes a create or an update once its key has been looked up. */
export type Purpose = 'create' | 'update' | 'upsert'
