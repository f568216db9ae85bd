import { ApiError } from '../../base/api-error.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { RelatedRecord } from '../../standard/behaviour/derived-record.ts'
import type { ColumnValue } from '../../storage/database/db.ts'

/** A record whose values are prepared for the database. */
export interface PlannedRecord {
  readonly id: string
  /** The values that the caller asked for. */
  readonly prepared: RecordValues
  /** The values to write: before-triggers may have changed them. */
  values: RecordValues
  /** Of a change from which others follow, what these follow from as it was; locked. */
  old?: ReadonlyMap<Field, ColumnValue> | undefined
  /** The records that it refers to and from which others follow, by id; locked. */
  related?: ReadonlyMap<string, RelatedRecord> | undefined
}

export const planRecord = (id: string, prepared: RecordValues): PlannedRecord => ({
  id,
  prepared,
  values: prepared,
})

/** The error for a record that does not exist. */
export const missingRecord = () =>
  new ApiError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', { status: 404 })

/** Errors by record. */
export type Refusals<Item> = Map<Item, ApiError>

/**
 * Thrown inside a write of several records when some of them fail, to roll it back. Only the write path sees it.
 */
export class RecordsRefused extends Error {
  readonly refusals: ReadonlyMap<unknown, ApiError>

  constructor(refusals: ReadonlyMap<unknown, ApiError>) {
    super('records were refused')
    this.refusals = refusals
  }
}

/** Aborts the write if any record was refused. */
export function throwRefusals(refusals: ReadonlyMap<unknown, ApiError>): void {
  if (refusals.size > 0) throw new RecordsRefused(refusals)
}
