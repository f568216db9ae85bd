import { ApiError, outcomeUnknown, serverTooBusy } from '../../base/api-error.ts'
import { databaseFault, findWriteRefusal, isNodeFailure, isOutdatedPlan } from './pg-error.ts'

/** The records that a statement was to lock when it failed on a lock conflict. */
const lockedRecords = new WeakMap<object, readonly string[]>()

/** A write that notes the records that it locks or waits for. */
interface Locking {
  readonly locked?: Set<string> | undefined
}

/** Runs a statement that locks records, and notes them. If it fails on a lock conflict, the error for the client names them. */
export async function namingLocked<T>(
  { locked }: Locking,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  if (locked !== undefined) for (const id of ids) locked.add(id)
  try {
    return await work()
  } catch (thrown) {
    if (databaseFault(thrown)?.kind === 'locked') lockedRecords.set(thrown as Error, ids)
    throw thrown
  }
}

/** More ids would only fill the message. */
const MAX_NAMED = 10

/** Other calls held locks on the records for too long. */
export function lockedRow(cause?: unknown): ApiError {
  const ids = lockedRecords.get(cause as Error) ?? []
  const named = ids.length === 0 ? '' : ` or ${ids.length} records: ${ids.slice(0, MAX_NAMED).join(',')}`
  const message = `unable to obtain exclusive access to this record${named}`
  return new ApiError('UNABLE_TO_LOCK_ROW', message, { cause })
}

/** The error for a client when the database failed for a reason unrelated to the request; undefined for other errors. */
export function faultError(thrown: unknown): ApiError | undefined {
  switch (databaseFault(thrown)?.kind) {
    case 'locked':
      return lockedRow(thrown)
    case 'cancelled':
      return new ApiError('QUERY_TIMEOUT', 'Your query request was running for too long.', { cause: thrown })
    case 'outdated':
      if (!isOutdatedPlan(thrown)) return undefined
      return new ApiError('SERVER_UNAVAILABLE', 'The schema is being changed. Send the call again.', {
        cause: thrown,
        retryAfterSeconds: 1,
      })
    case 'unreachable': {
      if (isNodeFailure(thrown))
        return serverTooBusy(thrown, 'A server of the database cluster cannot be reached.')
      const refusal = findWriteRefusal(thrown)
      return serverTooBusy(thrown, refusal && `${refusal}: nothing was written.`)
    }
    case 'unknown outcome':
      return outcomeUnknown(thrown)
    default:
      return undefined
  }
}
