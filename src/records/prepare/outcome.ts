import { ApiError } from '../../base/api-error.ts'
import { faultError } from '../../storage/database/fault-error.ts'
import type { PlannedRecord, Refusals } from './planned-record.ts'

/** What became of one record of a list. */
export type Outcome = Written | Refused

export interface Written {
  readonly id: string
  /** Of an upsert: whether it made the record. */
  readonly created?: boolean | undefined
}

export interface Refused {
  readonly error: ApiError
  /** The record that was meant, where there is one. */
  readonly id?: string | undefined
  readonly created?: boolean | undefined
}

export const isRefused = (outcome: Outcome): outcome is Refused => 'error' in outcome

/**
 * The outcome of a list of one.
 * @throws ApiError when it was refused
 */
export function only([outcome]: readonly Outcome[]): Written {
  if (isRefused(outcome!)) throw outcome.error
  return outcome!
}

/** Why a record that is all right was not written. (docs/reference/api/records.md#error-codes) */
export const rolledBack = () =>
  new ApiError(
    'ALL_OR_NONE_OPERATION_ROLLED_BACK',
    'Record rolled back because not all records were valid and the request was using AllOrNone header',
  )

/**
 * Has records written of a call that has written others before. What the database fails to do then is told of each record: a
 * client would send a call again that failed as a whole.
 * @param hasWritten whether anything of the call is there for good
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

/** The failure of the database, or the end of the call's time, as an error of records; undefined: it is neither. */
export const unfinished = (thrown: unknown): ApiError | undefined =>
  thrown instanceof ApiError && thrown.status === 503 ? thrown : faultError(thrown)

/** Lists of which some records could not even be prepared. */
export type Prepared<Item> = readonly (Item | ApiError)[]

/**
 * Writes what could be prepared, and tells of every record in order what became of it.
 * @param write gives what it refused
 */
export async function outcomesOf<Item extends Pick<PlannedRecord, 'id'>>(
  prepared: Prepared<Item>,
  allOrNone: boolean,
  write: (items: readonly Item[]) => Promise<Refusals<Item>>,
): Promise<Outcome[]> {
  const items = prepared.filter((entry): entry is Item => !(entry instanceof ApiError))
  const doomed = allOrNone && items.length < prepared.length
  const refusals: Refusals<Item> = doomed ? new Map() : await write(items)
  const nothingStays = doomed || (allOrNone && refusals.size > 0)
  return prepared.map((entry) => {
    if (entry instanceof ApiError) return { error: entry }
    const { id } = entry
    const error = refusals.get(entry) ?? (nothingStays ? rolledBack() : undefined)
    return error === undefined ? { id } : { id, error }
  })
}
