import type { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { type Outcome, only, outcomesOf } from '../prepare/outcome.ts'
import { type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import { readRecords } from '../read/read.ts'
import { unwritableAmong } from '../read/row-access.ts'
import { runAfterUpdateHooks } from '../write/after-write-hooks.ts'
import { listens, runTriggers } from '../write/triggers.ts'
import { missingAmong } from '../write/update.ts'
import { writeList } from '../write/write-list.ts'
import { DeletionRefused, deleteCascading } from './delete-cascading.ts'

interface Doomed {
  readonly id: string
}

/**
 * Puts a record into the recycle bin with everything that hangs on it: details and cascading lookups go too, other
 * lookups are cleared, restricting ones refuse. (docs/reference/api/records.md#delete)
 */
export async function deleteRecord(ctx: Context, object: ObjectType, id: string): Promise<void> {
  only(await deleteRecords(ctx, object, [id], false))
}

/** Deletes records of one object; no record stands in the list twice. */
export function deleteRecords(
  ctx: Context,
  named: ObjectType,
  ids: readonly string[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const object = unrestricted(named)
  const doomed = ids.map((id) => ({ id }))
  return outcomesOf(doomed, allOrNone, (records) =>
    writeList(ctx, records, {
      allOrNone,
      transaction: true,
      write: (inside, left) => deleteAll(inside, object, left),
      explain: (failure, left) => findRefused(ctx, object, failure, left),
    }),
  )
}

async function deleteAll(ctx: Context, object: ObjectType, records: readonly Doomed[]): Promise<void> {
  throwRefusals(await unwritableAmong(ctx, object, records, () => 'full'))
  const fired = await lockForTriggers(ctx, object, records)
  if (fired.length > 0) await runTriggers(ctx, object, 'beforeDelete', fired)
  const deleted = await deleteCascading(
    ctx,
    object,
    records.map(({ id }) => id),
  )
  const missing = records.filter(({ id }) => !deleted.has(id))
  if (missing.length > 0) throwRefusals(await missingAmong(ctx, object, missing))
  await runAfterUpdateHooks(ctx, object, records)
  if (fired.length > 0) await runTriggers(ctx, object, 'afterDelete', fired)
}

/** The records as triggers see them, if any listens. What goes with them does not start triggers. */
async function lockForTriggers(ctx: Context, object: ObjectType, records: readonly Doomed[]) {
  if (!listens(ctx, object, 'beforeDelete') && !listens(ctx, object, 'afterDelete')) return []
  const old = await readRecords(ctx, object, records, 'living, locked')
  return records
    .filter(({ id }) => old.has(id))
    .map((item) => ({ item, old: old.get(item.id), record: undefined }))
}

/**
 * A restricting child tells which record it belongs to only when that one is deleted alone: each is tried, and taken
 * back. When only all of them together fail, all are refused.
 */
async function findRefused(
  ctx: Context,
  object: ObjectType,
  failure: unknown,
  records: readonly Doomed[],
): Promise<Refusals<Doomed>> {
  const refusals: Refusals<Doomed> = new Map()
  if (!(failure instanceof DeletionRefused)) return refusals
  for (const record of records.length > 1 ? records : []) {
    const error = await refusalOf(ctx, object, record)
    if (error !== undefined) refusals.set(record, error)
  }
  if (refusals.size === 0) for (const record of records) refusals.set(record, failure.error)
  return refusals
}

class Probed extends Error {}

async function refusalOf(ctx: Context, object: ObjectType, { id }: Doomed): Promise<ApiError | undefined> {
  try {
    await ctx.db.transaction(async (db) => {
      await deleteCascading({ ...ctx, db }, object, [id])
      throw new Probed()
    })
  } catch (error) {
    if (error instanceof DeletionRefused) return error.error
    if (!(error instanceof Probed)) throw error
  }
  return undefined
}
