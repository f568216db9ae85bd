import type { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import { WaitingBytes } from '../../storage/database/db.ts'
import { discard, isLarge, takeIn } from '../../storage/pass-bytes.ts'

/**
 * Sends the large values of records to the database before a write begins, where they wait as those of uploads do: sent in the
 * write's transaction, which holds the embedded engine, they would keep other callers waiting.
 * @param prepared the values of records; they are changed
 */
export async function sendBytesAhead<Result>(
  { db, org }: Context,
  prepared: readonly (RecordValues | ApiError | undefined)[],
  write: () => Promise<Result>,
): Promise<Result> {
  // The transaction of a composite is open already.
  const large = db.isTransaction
    ? []
    : prepared.flatMap((values) =>
        values instanceof Map
          ? [...values].flatMap(([field, value]) => (isLarge(value) ? [{ values, field, value }] : []))
          : [],
      )
  if (large.length === 0) return write()
  const waiting: WaitingBytes[] = []
  try {
    for (const { values, field, value } of large) {
      const taken = await takeIn(db, org, [value])
      if (taken instanceof WaitingBytes) waiting.push(taken)
      values.set(field, taken)
    }
    return await write()
  } finally {
    await discard(db, org, waiting)
  }
}
