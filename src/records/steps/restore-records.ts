import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { type PlannedRecord, RecordsRefused, throwRefusals } from '../prepare/planned-record.ts'
import { readRecords } from '../read/read.ts'
import { rowsFor } from '../read/row-access.ts'
import { restorableSince } from '../recycle-bin/bin-time.ts'
import type { AddedWrites } from './added-writes.ts'
import { deletionSql } from './deletion.sql.ts'
import { deriveAgain } from './derive-values.ts'
import type { ReachedRecords } from './record-write.ts'
import { holdTargets } from './references.ts'
import { runAfterChange } from './run-behaviour.ts'

const failed = (message: string) => new ApiError('UNDELETE_FAILED', message)

const refusing =
  (records: readonly PlannedRecord[]) =>
  (error: ApiError): RecordsRefused =>
    new RecordsRefused(new Map(records.map((record) => [record, error])))

/**
 * Restores records from the recycle bin, each with the records that were deleted with it. References to records that no
 * longer exist are cleared; a record that requires such a reference stays in the bin.
 * @returns the ids of what was restored, by object
 */
export async function restoreAll(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  audit: AuditFields,
): Promise<ReachedRecords> {
  const ids = records.map(({ id }) => id)
  type Deleted = { id: string; deletion: string | null }
  // A record that may be purged at any time is not restored: records deleted with it may already be purged.
  const since = restorableSince(ctx.clock())
  // Whoever may not delete a record may not bring it back, and is not told that it was there.
  const rule = rowsFor(ctx, object, 'full')
  const rows = await ctx.db.query<Deleted>(deletionSql.lockDeleted(ctx.org, object, ids, since, rule))
  const deletions = new Map(rows.map(({ id, deletion }) => [id, deletion]))
  const missing = records.filter(({ id }) => !deletions.has(id))
  throwRefusals(new Map(missing.map((record) => [record, failed('entity is not in the recycle bin')])))
  const known = [...new Set(deletions.values())].filter((deletion) => deletion !== null)
  const old = await readRecords(ctx, object, records, 'deleted')
  // Another record may have taken one of the unique values meanwhile.
  for (const record of records) record.values = getUniqueValues(object, old.get(record.id)!)
  const refuseAll = refusing(records)
  let level = new Map([[object, ids]])
  const restored = new Map<ObjectType, Set<string>>()
  for (let depth = 0; level.size > 0; depth++) {
    for (const [type, found] of level) {
      await restore(ctx, type, found, depth === 0 ? records : [], audit, refuseAll)
      const ids = getOrInsert(restored, type, () => new Set())
      for (const id of found) ids.add(id)
    }
    level = await findChildren(ctx, level, known)
  }
  await referAgain(ctx, restored)
  return restored
}

/** Does what follows from records that are restored. These are refused with those that come back with them. */
export async function followRestored(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  restored: ReachedRecords,
  added: AddedWrites,
): Promise<void> {
  await runAfterChange(ctx, object, records, added)
  for (const [type, ids] of restored) {
    if (type === object) continue
    const others = [...ids].map((id) => ({ id }))
    await runAfterChange(ctx, type, others, added).catch((failure) => {
      const [error] = failure instanceof RecordsRefused ? failure.refusals.values() : []
      throw error === undefined ? failure : refusing(records)(error)
    })
  }
}

/** Records whose references are derived together, so that few are in memory. */
const MAX_DERIVED = 500

/** A reference that the platform derives. */
const isDerivedReference = ({ referenceTo, updateable, system, column }: Field) =>
  referenceTo.length > 0 && !updateable && !system && column !== undefined

/** Gives what was deleted together the references that the platform derives, which the deletion has cleared. */
async function referAgain(ctx: Context, restored: ReachedRecords): Promise<void> {
  const living = new Set<unknown>([...restored.values()].flatMap((found) => [...found]))
  for (const [type, found] of restored) {
    if (!type.fields.some(isDerivedReference)) continue
    const all = [...found]
    for (let start = 0; start < all.length; start += MAX_DERIVED) {
      const again = new Map<Field, [id: string, to: string][]>()
      const ids = all.slice(start, start + MAX_DERIVED)
      for (const { id, values } of await deriveAgain(ctx, type, ids, ctx.principal.fiscalYear))
        for (const [field, value] of values)
          if (isDerivedReference(field) && living.has(value))
            getOrInsert(again, field, () => []).push([id, value as string])
      for (const [field, pairs] of again)
        await ctx.db.query(deletionSql.setReferences(ctx.org, type, field, pairs))
    }
  }
}

/** The children that were deleted by cascade from the records of one level. */
async function findChildren(
  ctx: Context,
  level: ReadonlyMap<ObjectType, readonly string[]>,
  deletions: readonly string[],
): Promise<Map<ObjectType, string[]>> {
  const children = new Map<ObjectType, string[]>()
  for (const [type, ids] of level) {
    for (const { field, childObject, onDelete } of type.children) {
      if (onDelete !== 'cascade') continue
      const child = { field, object: requireObject(ctx.schema, childObject) }
      const statement = deletionSql.deletedChildren(ctx.org, child, ids, deletions)
      const rows = await ctx.db.query<{ id: string }>(statement)
      if (rows.length > 0) getOrInsert(children, child.object, () => []).push(...rows.map(({ id }) => id))
    }
  }
  return children
}

/** @param requested the records that the client named; an error of any other one fails the whole undelete */
async function restore(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  requested: readonly PlannedRecord[],
  audit: AuditFields,
  refuseAll: (error: ApiError) => RecordsRefused,
): Promise<void> {
  try {
    await ctx.db.query(deletionSql.markLiving(ctx.org, object, ids, audit))
  } catch (failure) {
    if (requested.length > 0 || databaseFault(failure)?.kind !== 'duplicate') throw failure
    throw refuseAll(
      failed(
        `a unique value of the ${object.definition.labelPlural} deleted with it is used by another record`,
      ),
    )
  }
  const living = await readRecords(
    ctx,
    object,
    ids.map((id) => ({ id })),
  )
  await clearDeadReferences(ctx, object, living, requested, refuseAll)
}

function getUniqueValues(object: ObjectType, record: RecordBody): RecordValues {
  const unique = object.fields.filter(({ definition }) => definition.unique === true)
  return new Map(unique.map((field) => [field, (record[field.name] ?? null) as string | null]))
}

/** References of an object that an undelete has to look at. */
const listReferences = (object: ObjectType) =>
  object.fields.filter(({ referenceTo, system, column }) => referenceTo.length > 0 && !system && column)

/**
 * Clears references to records that no longer exist, and refuses the records that require them. Those that exist stay
 * locked against deletion: what is restored refers to them again.
 */
async function clearDeadReferences(
  ctx: Context,
  object: ObjectType,
  living: ReadonlyMap<string, RecordBody>,
  requested: readonly PlannedRecord[],
  refuseAll: (error: ApiError) => RecordsRefused,
): Promise<void> {
  const fields = listReferences(object)
  const targets = (field: Field) =>
    [...living.values()].flatMap((record) => (record[field.name] as string | null) ?? [])
  const held = await holdTargets(
    ctx,
    fields.flatMap(targets).filter((id) => ctx.schema.objectOfId(id)),
  )
  for (const field of fields) {
    const gone = new Set(targets(field).filter((id) => !held.has(id)))
    if (gone.size === 0) continue
    const orphans = [...living].filter(([, record]) => gone.has(record[field.name] as string))
    if (field.nillable) {
      const ids = orphans.map(([id]) => id)
      await ctx.db.query(deletionSql.clearReference(ctx.org, object, field, ids, [...gone]))
      continue
    }
    const error = failed(`${field.label}: the record that it points to is deleted`)
    const refused = requested.filter(({ id }) => orphans.some(([orphan]) => orphan === id))
    throw refused.length === 0
      ? refuseAll(error)
      : new RecordsRefused(new Map(refused.map((record) => [record, error])))
  }
}
