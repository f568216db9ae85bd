import { ApiError } from '../../base/api-error.ts'
import type { RecordValues } from './record-input.ts'

/** A record whose values are prepared, on its way into the database. */
export interface PlannedRecord {
  readonly id: string
  /** As they were asked for. */
  readonly prepared: RecordValues
  /** As they are written: before-triggers may have changed them. */
  values: RecordValues
}

export const planRecord = (id: string, prepared: RecordValues): PlannedRecord => ({
  id,
  prepared,
  values: prepared,
})

/** What a record is refused with that is not there. */
export const missingRecord = () =>
  new ApiError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', { status: 404 })

/** What is wrong with which record. */
export type Refusals<Item> = Map<Item, ApiError>

/**
 * Thrown inside a write of several records when some of them fail, so that nothing of it stays. The write path catches
 * it; it never leaves it.
 */
export class RecordsRefused extends Error {
  readonly refusals: ReadonlyMap<unknown, ApiError>

  constructor(refusals: ReadonlyMap<unknown, ApiError>) {
    super('records were refused')
    this.refusals = refusals
  }
}

/** Ends the write if anything was refused. */
export function throwRefusals(refusals: ReadonlyMap<unknown, ApiError>): void {
  if (refusals.size > 0) throw new RecordsRefused(refusals)
}
