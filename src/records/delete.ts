import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { requireObject } from '../schema/snapshot.ts'
import type { Db } from '../storage/db.ts'
import { stampOf } from './stamp.ts'
import { missingRecord } from './update.ts'
import { type Child, type Stamp, writeSql } from './write.sql.ts'

/** Records that a deletion has reached, by object. */
type Reached = Map<ObjectType, Set<string>>

function reach(reached: Reached, object: ObjectType, id: string): void {
  reached.set(object, (reached.get(object) ?? new Set()).add(id))
}

/**
 * Puts a record into the recycle bin with everything that hangs on it: details and cascading lookups go too, other
 * lookups are cleared, restricting ones refuse. (contract/records 2.13)
 */
export async function deleteRecord(ctx: Context, object: ObjectType, id: string): Promise<void> {
  const gone = await ctx.db.transaction((tx) => deleteCascading(ctx, tx, object, id))
  if (!gone) throw await missingRecord(ctx, object, id)
}

/**
 * Level by level: a level is marked first, then its children are looked at. From the mark on no new child can be
 * written, because a child's write looks at its parents under lock. A restricting child only refuses if it is not
 * itself part of what goes.
 * @returns whether the record was there
 */
async function deleteCascading(ctx: Context, tx: Db, object: ObjectType, id: string): Promise<boolean> {
  const stamp = stampOf(ctx)
  const deleted: Reached = new Map()
  const restricting: Reached = new Map()
  let level: Reached = new Map([[object, new Set([id])]])
  while (level.size > 0) {
    const marked: Reached = new Map()
    for (const [type, ids] of level) {
      const rows = await tx.query<{ id: string }>(writeSql.markDeleted(ctx.org, type, [...ids], stamp))
      for (const row of rows) {
        reach(marked, type, row.id)
        reach(deleted, type, row.id)
      }
    }
    level = new Map()
    for (const [type, ids] of marked) await findChildren(ctx, tx, type, [...ids], stamp, level, restricting)
  }
  for (const [type, ids] of restricting) {
    for (const child of ids) if (!deleted.get(type)?.has(child)) throw refused(object, type)
  }
  return deleted.size > 0
}

/** Sorts the children of one level into those that go with it and those that forbid it; the others are cleared. */
async function findChildren(
  ctx: Context,
  tx: Db,
  object: ObjectType,
  ids: readonly string[],
  stamp: Stamp,
  cascading: Reached,
  restricting: Reached,
): Promise<void> {
  const listed: (Child & { readonly into: Reached })[] = []
  const cleared = new Map<ObjectType, Field[]>()
  for (const { field, childObject, onDelete } of object.children) {
    if (field.system || field.name === 'OwnerId') continue
    const child = requireObject(ctx.schema, childObject)
    if (onDelete === 'clear') cleared.set(child, [...(cleared.get(child) ?? []), field])
    else listed.push({ field, object: child, into: onDelete === 'restrict' ? restricting : cascading })
  }
  if (listed.length === 0 && cleared.size === 0) return
  const found = await tx.query<{ way: number; id: string }>(
    writeSql.childrenOf(ctx.org, listed, cleared, ids, stamp),
  )
  for (const { way, id } of found) reach(listed[way]!.into, listed[way]!.object, id)
}

function refused(object: ObjectType, child: ObjectType): ApiError {
  return new ApiError(
    'DELETE_FAILED',
    `Your attempt to delete ${object.name} could not be completed because it is associated with the following ${child.definition.labelPlural}.`,
  )
}
