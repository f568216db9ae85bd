import { ApiError, type ErrorItem } from '../../base/api-error.ts'
import { faultError } from '../../storage/database/fault-error.ts'
import type { PlannedRecord, Refusals } from './planned-record.ts'

/** The result of writing one record of a list. */
export type Outcome = Written | Refused

export interface Written {
  readonly id: string
  /** For an upsert: whether it created the record. */
  readonly created?: boolean | undefined
  /** Of a platform event: what it is told from others by. */
  readonly eventUuid?: string | undefined
}

export interface Refused {
  readonly error: ApiError
  /** The record to be changed, if it exists. */
  readonly id?: string | undefined
  readonly created?: boolean | undefined
}

export const isRefused = (outcome: Outcome): outcome is Refused => 'error' in outcome

/**
 * What the result of a written record says among its errors: of a platform event, that it was published and which one it is.
 * (docs/reference/api/streaming.md#publish)
 */
export const notesOf = ({ eventUuid }: Written): readonly ErrorItem[] =>
  eventUuid === undefined ? [] : [{ errorCode: 'OPERATION_ENQUEUED', message: eventUuid, fields: [] }]

/**
 * The outcome of a list of one.
 * @throws ApiError when it was refused
 */
export function only([outcome]: readonly Outcome[]): Written {
  if (isRefused(outcome!)) throw outcome.error
  return outcome!
}

/** The error of a valid record that was not written because another one failed. (docs/reference/api/records.md#error-codes) */
export const rolledBack = () =>
  new ApiError(
    'ALL_OR_NONE_OPERATION_ROLLED_BACK',
    'Record rolled back because not all records were valid and the request was using AllOrNone header',
  )

/**
 * Writes records of a call that may already have written others. If it has, a failure of the database becomes the error
 * of each remaining record: a client would retry a call that failed as a whole, and write the others twice.
 * @param hasWritten whether the call has committed anything
 */
export async function writeOrRefuse(
  entries: readonly { readonly id?: string | undefined }[],
  hasWritten: boolean,
  write: () => Promise<Outcome[]>,
): Promise<Outcome[]> {
  try {
    return await write()
  } catch (thrown) {
    const error = hasWritten ? unfinished(thrown) : undefined
    if (error === undefined) throw thrown
    return entries.map(({ id }) => (id === undefined ? { error } : { error, id }))
  }
}

/** A failure of the database, or a timeout of the call, as the error of a record; undefined for anything else. */
export const unfinished = (thrown: unknown): ApiError | undefined =>
  thrown instanceof ApiError && thrown.status === 503 ? thrown : faultError(thrown)

/** A list of prepared records, with an error for each that could not be prepared. */
export type Prepared<Item> = readonly (Item | ApiError)[]

/**
 * Writes the prepared records, and returns the outcome of every record in order.
 * @param write returns the refused records
 */
export async function writeWithOutcomes<Item extends Pick<PlannedRecord, 'id'>>(
  prepared: Prepared<Item>,
  allOrNone: boolean,
  write: (items: readonly Item[]) => Promise<Refusals<Item>>,
): Promise<Outcome[]> {
  const items = prepared.filter((entry): entry is Item => !(entry instanceof ApiError))
  const cannotSucceed = allOrNone && items.length < prepared.length
  const refusals: Refusals<Item> = cannotSucceed ? new Map() : await write(items)
  const isRolledBack = cannotSucceed || (allOrNone && refusals.size > 0)
  return prepared.map((entry) => {
    if (entry instanceof ApiError) return { error: entry }
    const { id } = entry
    const error = refusals.get(entry) ?? (isRolledBack ? rolledBack() : undefined)
    return error === undefined ? { id } : { id, error }
  })
}
