import { randomUUID } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { AuditFields } from '../../schema/objects/audit-fields.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { type PlannedRecord, throwRefusals } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { type Child, writeSql } from './write.sql.ts'
import { explainMissing } from './write-changes.ts'

/** Ids of the records that a deletion has reached, by object. */
type Reached = Map<ObjectType, Set<string>>

function reach(reached: Reached, object: ObjectType, id: string): void {
  reached.set(object, (reached.get(object) ?? new Set()).add(id))
}

/** Thrown when a child that is not deleted restricts the deletion. */
export class DeletionRefused extends Error {
  readonly error: ApiError

  constructor(object: ObjectType, child: ObjectType) {
    super('a deletion was refused')
    this.error = new ApiError(
      'DELETE_FAILED',
      `Your attempt to delete ${object.name} could not be completed because it is associated with the following ${child.definition.labelPlural}.`,
    )
  }
}

/**
 * Deletes records with their cascading children, level by level: a level is marked as deleted first, then its children
 * are read. Once a record is marked, no new child can be written, because a child's write checks its parents under lock.
 * A restricting child refuses the deletion only if the deletion does not include it.
 * @param ctx in a transaction
 * @returns the ids of what was deleted, by object
 * @throws DeletionRefused
 */
export async function deleteCascading(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  audit = makeAuditFields(ctx),
): Promise<ReadonlyMap<ObjectType, ReadonlySet<string>>> {
  const deletion = randomUUID()
  const deleted: Reached = new Map()
  const restricting: Reached = new Map()
  let level: Reached = new Map([[object, new Set(ids)]])
  while (level.size > 0) {
    const marked: Reached = new Map()
    for (const [type, found] of level) {
      const sorted = [...found].sort()
      const statement = writeSql.markDeleted(ctx.org, type, sorted, audit, deletion)
      const rows = await namingLocked(ctx, sorted, () => ctx.db.query<{ id: string }>(statement))
      for (const { id } of rows) {
        reach(marked, type, id)
        reach(deleted, type, id)
      }
      await refuseKept(ctx, object, type, [...(marked.get(type) ?? [])])
    }
    level = new Map()
    for (const [type, found] of marked) await findChildren(ctx, type, [...found], audit, level, restricting)
  }
  for (const [type, found] of restricting) {
    for (const child of found) if (!deleted.get(type)?.has(child)) throw new DeletionRefused(object, type)
  }
  return deleted
}

/** Refuses to delete records that are kept. They are locked: they have become so before, or will not. */
async function refuseKept(
  ctx: Context,
  object: ObjectType,
  type: ObjectType,
  ids: readonly string[],
): Promise<void> {
  const kept = findBehaviour(type)?.kept
  if (kept === undefined || ids.length === 0 || (await kept.find(ctx, ids)).length === 0) return
  throw new DeletionRefused(object, type)
}

/** Sorts the children of one level into cascading and restricting ones, and clears the references of the others. */
async function findChildren(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  audit: AuditFields,
  cascading: Reached,
  restricting: Reached,
): Promise<void> {
  const listed: (Child & { readonly into: Reached })[] = []
  const cleared = new Map<ObjectType, Field[]>()
  for (const { field, childObject, onDelete, stored } of object.children) {
    if (!stored || field.system) continue
    const child = requireObject(ctx.schema, childObject)
    // A record has an owner as long as it is there.
    if (field.name === 'OwnerId') listed.push({ field, object: child, into: restricting })
    else if (onDelete === 'clear') cleared.set(child, [...(cleared.get(child) ?? []), field])
    else listed.push({ field, object: child, into: onDelete === 'restrict' ? restricting : cascading })
  }
  if (listed.length === 0 && cleared.size === 0) return
  const found = await ctx.db.query<{ index: number; id: string }>(
    writeSql.selectChildren(ctx.org, listed, cleared, ids, audit),
  )
  for (const { index, id } of found) reach(listed[index]!.into, listed[index]!.object, id)
}

/** Refuses records that a deletion has not reached, because they are not there. */
export async function refuseUndeleted(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  deleted: ReadonlySet<string> | undefined,
): Promise<void> {
  const missing = records.filter(({ id }) => !deleted?.has(id))
  if (missing.length > 0) throwRefusals(await explainMissing(ctx, object, missing))
}
