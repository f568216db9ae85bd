import { randomUUID } from 'node:crypto'
import { rowRule } from '../../access/row-rules.sql.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { type PlannedRecord, throwRefusals } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { type Child, deletionSql } from './deletion.sql.ts'
import { writeSql } from './write.sql.ts'
import { explainMissing } from './write-changes.ts'

/** Ids of the records that a deletion has reached, by object. */
type Reached = Map<ObjectType, Set<string>>

function reach(reached: Reached, object: ObjectType, id: string): void {
  reached.set(object, (reached.get(object) ?? new Set()).add(id))
}

/** Thrown when records that are not deleted themselves keep what refers to them from being deleted. */
export class DeletionRefused extends Error {
  readonly error: ApiError

  constructor(message: string) {
    super('a deletion was refused')
    this.error = new ApiError('DELETE_FAILED', message)
  }
}

/** So many records that are in the way are named. */
const MAX_NAMED = 10

const getPlural = ({ definition, custom }: ObjectType): string =>
  custom ? definition.labelPlural : definition.labelPlural.toLowerCase()

/** Refuses to delete records because of others, and names those of them that the caller sees. (docs/reference/api/records.md#delete) */
async function refuse(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  child: ObjectType,
  children: readonly string[],
): Promise<never> {
  const findNames = async (type: ObjectType, some: readonly string[]) => {
    const statement = writeSql.names(ctx.org, type, some, rowRule(ctx, type, 'named', 'read'), MAX_NAMED)
    const rows = statement === undefined ? [] : await ctx.db.query<{ name: string }>(statement)
    return rows.map(({ name }) => name)
  }
  const [name = object.definition.label] = ids.length === 1 ? await findNames(object, ids) : []
  const names = await findNames(child, children)
  // Others are not told that there is such an object.
  const others = ctx.access.rightsOn(child).read ? `the following ${getPlural(child)}` : 'other records'
  throw new DeletionRefused(
    `Your attempt to delete ${name} could not be completed because it is associated with ${others}.${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
  )
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
      const statement = deletionSql.markDeleted(ctx.org, type, sorted, audit, deletion)
      const rows = await namingLocked(ctx, sorted, () => ctx.db.query<{ id: string }>(statement))
      for (const { id } of rows) {
        reach(marked, type, id)
        reach(deleted, type, id)
      }
      const kept = await findKept(ctx, type, [...(marked.get(type) ?? [])])
      if (kept.length > 0) await refuse(ctx, object, ids, type, kept)
    }
    level = new Map()
    for (const [type, found] of marked) await findChildren(ctx, type, [...found], audit, level, restricting)
  }
  for (const [type, found] of restricting) {
    const left = [...found].filter((child) => deleted.get(type)?.has(child) !== true)
    if (left.length > 0) await refuse(ctx, object, ids, type, left)
  }
  return deleted
}

/** The records that are kept. They are locked: they have become so before, or will not. */
const findKept = async (
  ctx: Context,
  type: ObjectType,
  ids: readonly string[],
): Promise<readonly string[]> =>
  ids.length === 0 ? [] : ((await findBehaviour(type)?.kept?.find(ctx, ids)) ?? [])

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
    deletionSql.selectChildren(ctx.org, listed, cleared, ids, audit),
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
