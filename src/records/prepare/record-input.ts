import type { Location } from '../../base/json-text.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ColumnValue } from '../../storage/database/db.ts'

/** One record as a client wrote it. */
export interface RecordInput {
  readonly members: Readonly<Record<string, unknown>>
  /** Where a member's value stands in the text that came over the wire. */
  readonly locate: (path: readonly (string | number)[]) => Location
}

/** The values of a record to be written, as they are stored. */
export type RecordValues = Map<Field, ColumnValue>

/** An upsert is a create or an update; which one is known only once the key was looked up. */
export type Purpose = 'create' | 'update' | 'upsert'
