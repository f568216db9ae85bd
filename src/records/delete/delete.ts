import type { Context } from '../../context.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { findForbidden } from '../prepare/find-forbidden.ts'
import { type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { planRecord } from '../prepare/planned-record.ts'
import { writePlanned } from '../write/write-planned.ts'

/**
 * Moves a record to the recycle bin, with its details and the records that refer to it by a cascading lookup. Other
 * lookups to it are cleared; a restricting one refuses the deletion. (docs/reference/api/records.md#delete)
 */
export async function deleteRecord(ctx: Context, object: ObjectType, id: string): Promise<void> {
  only(await deleteRecords(ctx, object, [id], false))
}

/** Deletes records of one object. The ids must be distinct. */
export const deleteRecords = (
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  allOrNone: boolean,
): Promise<Outcome[]> => writeByIds(ctx, 'delete', object, ids, allOrNone)

/**
 * Restores records from the recycle bin, each with the records that were deleted with it. References to records that no
 * longer exist are cleared; a record that requires such a reference stays in the bin. (docs/reference/api/records.md#delete)
 */
export const undeleteRecords = (
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  allOrNone: boolean,
): Promise<Outcome[]> => writeByIds(ctx, 'undelete', object, ids, allOrNone)

async function writeByIds(
  ctx: Context,
  kind: 'delete' | 'undelete',
  named: ObjectType,
  ids: readonly string[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const error = findForbidden(named, kind)
  if (error !== undefined) return ids.map((id) => ({ error, id }))
  const object = unrestricted(named)
  const planned = ids.map((id) => planRecord(id, new Map()))
  return writeWithOutcomes(planned, allOrNone, (records) =>
    writePlanned({ ctx, kind, object, records }, allOrNone),
  )
}
