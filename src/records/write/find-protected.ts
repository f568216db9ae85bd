import type { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { DeletionRefused, deleteCascading } from '../steps/delete-cascading.ts'

/**
 * Finds the records that restricting children protect, by deleting each alone and rolling that back. If each can be
 * deleted alone, but not all together, all of them are refused.
 */
export async function findProtected(
  ctx: Context,
  object: ObjectType,
  failure: unknown,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  if (!(failure instanceof DeletionRefused)) return refusals
  for (const record of records.length > 1 ? records : []) {
    const error = await tryDelete(ctx, object, record)
    if (error !== undefined) refusals.set(record, error)
  }
  if (refusals.size === 0) for (const record of records) refusals.set(record, failure.error)
  return refusals
}

/** Rolls back a deletion that was only tried. */
class TriedOnly extends Error {}

/** Why the record cannot be deleted. Nothing stays deleted. */
async function tryDelete(
  ctx: Context,
  object: ObjectType,
  { id }: PlannedRecord,
): Promise<ApiError | undefined> {
  try {
    await ctx.db.transaction(async (db) => {
      await deleteCascading({ ...ctx, db }, object, [id])
      throw new TriedOnly()
    })
  } catch (error) {
    if (error instanceof DeletionRefused) return error.error
    if (!(error instanceof TriedOnly)) throw error
  }
  return undefined
}
