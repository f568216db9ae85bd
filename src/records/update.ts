import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { prepareRecord } from './prepare.ts'
import type { RecordInput, RecordValues } from './record-input.ts'
import { stampOf } from './stamp.ts'
import { writeSql } from './write.sql.ts'
import { writeValues } from './write.ts'

/** Why a record cannot be written: it is in the recycle bin, or never was. (contract/records 2.13) */
export async function missingRecord(ctx: Context, object: ObjectType, id: string): Promise<ApiError> {
  const [row] = await ctx.db.query<{ isDeleted: boolean }>(writeSql.state(ctx.org, object, id))
  return row?.isDeleted === true
    ? new ApiError('ENTITY_IS_DELETED', 'entity is deleted')
    : new ApiError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', { status: 404 })
}

/** Changes the given fields of a record. Nothing given changes nothing, but the record must be there. */
export async function updateRecord(
  ctx: Context,
  object: ObjectType,
  id: string,
  input: RecordInput,
): Promise<void> {
  const values = await prepareRecord(ctx, object, input, 'update')
  if (!(await writeChanges(ctx, object, id, values))) throw await missingRecord(ctx, object, id)
}

/** Writes prepared changes. False when there is no such live record. */
export async function writeChanges(
  ctx: Context,
  object: ObjectType,
  id: string,
  values: RecordValues,
): Promise<boolean> {
  if (values.size === 0) {
    const [row] = await ctx.db.query<{ isDeleted: boolean }>(writeSql.state(ctx.org, object, id))
    return row?.isDeleted === false
  }
  const statement = writeSql.update(ctx.org, object, id, clearedBooleans(values), stampOf(ctx))
  const rows = await writeValues(ctx, object, values, (db) => db.query(statement))
  return rows.length > 0
}

/** A boolean is never null: null on update means false. (contract/records 2.3) */
export function clearedBooleans(values: RecordValues): RecordValues {
  const complete = new Map(values)
  for (const [field, value] of values)
    if (value === null && field.type.alwaysFilled) complete.set(field, false)
  return complete
}
