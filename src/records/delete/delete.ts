import type { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { checkAllowed } from '../prepare/allowed.ts'
import { type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import { readRecords } from '../read/read.ts'
import { findUnwritable } from '../read/row-access.ts'
import { DeletionRefused, deleteCascading } from '../write/delete-cascading.ts'
import { applyEffects } from '../write/parent-effects.ts'
import { planStoredEffects, withMoved } from '../write/plan-effects.ts'
import { refuseDeletes, runAfterChange } from '../write/run-behaviour.ts'
import { hasTrigger, runTriggers } from '../write/triggers.ts'
import { changeParents } from '../write/update.ts'
import { explainMissing } from '../write/write-changes.ts'
import { writeList } from '../write/write-list.ts'

interface RecordId {
  readonly id: string
}

/**
 * Moves a record to the recycle bin, with its details and the records that refer to it by a cascading lookup. Other
 * lookups to it are cleared; a restricting one refuses the deletion. (docs/reference/api/records.md#delete)
 */
export async function deleteRecord(ctx: Context, object: ObjectType, id: string): Promise<void> {
  only(await deleteRecords(ctx, object, [id], false))
}

/** Deletes records of one object. The ids must be distinct. */
export async function deleteRecords(
  ctx: Context,
  named: ObjectType,
  ids: readonly string[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  checkAllowed(named, 'deletable')
  const object = unrestricted(named)
  const listed = ids.map((id) => ({ id }))
  return writeWithOutcomes(listed, allOrNone, (records) =>
    writeList(ctx, records, {
      allOrNone,
      transaction: true,
      write: (inside, left) => deleteAll(inside, object, left),
      explain: (failure, left) => findRefused(ctx, object, failure, left),
    }),
  )
}

async function deleteAll(ctx: Context, object: ObjectType, records: readonly RecordId[]): Promise<void> {
  throwRefusals(await findUnwritable(ctx, object, records, () => 'full'))
  const refused = await refuseDeletes(
    ctx,
    object,
    records.map(({ id }) => id),
    changeParents,
  )
  throwRefusals(
    new Map(records.flatMap((record) => (refused.has(record.id) ? [[record, refused.get(record.id)!]] : []))),
  )
  const fired = await lockForTriggers(ctx, object, records)
  if (fired.length > 0) await runTriggers(ctx, object, 'beforeDelete', fired)
  const ids = records.map(({ id }) => id)
  const effects = await planStoredEffects(ctx, object, ids)
  const deleted = await deleteCascading(ctx, object, ids)
  const missing = records.filter(({ id }) => !deleted.get(object)?.has(id))
  if (missing.length > 0) throwRefusals(await explainMissing(ctx, object, missing))
  await runAfterChange(ctx, object, records, changeParents)
  for (const [type, found] of deleted) {
    // Somebody else may have given a record another parent before it was locked.
    const own =
      type === object
        ? await withMoved(ctx, type, effects, records)
        : await planStoredEffects(ctx, type, [...found])
    await applyEffects(ctx, type, own, records, changeParents)
  }
  if (fired.length > 0) await runTriggers(ctx, object, 'afterDelete', fired)
}

/** The records as triggers see them, if there are triggers. Records deleted by cascade do not run triggers. */
async function lockForTriggers(ctx: Context, object: ObjectType, records: readonly RecordId[]) {
  if (!hasTrigger(ctx, object, 'beforeDelete') && !hasTrigger(ctx, object, 'afterDelete')) return []
  const old = await readRecords(ctx, object, records, 'living, locked')
  return records
    .filter(({ id }) => old.has(id))
    .map((item) => ({ item, old: old.get(item.id), record: undefined }))
}

/**
 * Finds the records that restricting children protect, by deleting each alone and rolling that back. If each can be
 * deleted alone, but not all together, all of them are refused.
 */
async function findRefused(
  ctx: Context,
  object: ObjectType,
  failure: unknown,
  records: readonly RecordId[],
): Promise<Refusals<RecordId>> {
  const refusals: Refusals<RecordId> = new Map()
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
async function tryDelete(ctx: Context, object: ObjectType, { id }: RecordId): Promise<ApiError | undefined> {
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
