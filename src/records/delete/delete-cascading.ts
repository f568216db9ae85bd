import { randomUUID } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { makeAuditFields } from '../write/audit-fields.ts'
import { type AuditFields, type Child, writeSql } from '../write/write.sql.ts'

/** Records that a deletion has reached, by object. */
type Reached = Map<ObjectType, Set<string>>

function reach(reached: Reached, object: ObjectType, id: string): void {
  reached.set(object, (reached.get(object) ?? new Set()).add(id))
}

/** A record that stays forbids the deletion. */
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
 * Deletes records with everything that hangs on them. Level by level: a level is marked first, then its children are
 * looked at. From the mark on no new child can be written, because a child's write looks at its parents under lock. A
 * restricting child only refuses if it is not itself part of what goes.
 * @param ctx in a transaction
 * @returns which of the records were there
 * @throws DeletionRefused
 */
export async function deleteCascading(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const audit = makeAuditFields(ctx)
  const deletion = randomUUID()
  const deleted: Reached = new Map()
  const restricting: Reached = new Map()
  let level: Reached = new Map([[object, new Set(ids)]])
  while (level.size > 0) {
    const marked: Reached = new Map()
    for (const [type, found] of level) {
      const statement = writeSql.markDeleted(ctx.org, type, [...found].sort(), audit, deletion)
      for (const { id } of await ctx.db.query<{ id: string }>(statement)) {
        reach(marked, type, id)
        reach(deleted, type, id)
      }
    }
    level = new Map()
    for (const [type, found] of marked) await findChildren(ctx, type, [...found], audit, level, restricting)
  }
  for (const [type, found] of restricting) {
    for (const child of found) if (!deleted.get(type)?.has(child)) throw new DeletionRefused(object, type)
  }
  return deleted.get(object) ?? new Set()
}

/** Sorts the children of one level into those that go with it and those that forbid it; the others are cleared. */
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
  for (const { field, childObject, onDelete } of object.children) {
    if (field.system || field.name === 'OwnerId') continue
    const child = requireObject(ctx.schema, childObject)
    if (onDelete === 'clear') cleared.set(child, [...(cleared.get(child) ?? []), field])
    else listed.push({ field, object: child, into: onDelete === 'restrict' ? restricting : cascading })
  }
  if (listed.length === 0 && cleared.size === 0) return
  const found = await ctx.db.query<{ way: number; id: string }>(
    writeSql.childrenOf(ctx.org, listed, cleared, ids, audit),
  )
  for (const { way, id } of found) reach(listed[way]!.into, listed[way]!.object, id)
}
