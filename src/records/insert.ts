import type { Context } from '../context.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { applyDefaults } from './defaults.ts'
import { prepareRecord } from './prepare.ts'
import type { RecordInput, RecordValues } from './record-input.ts'
import { stampOf } from './stamp.ts'
import { writeSql } from './write.sql.ts'
import { writeValues } from './write.ts'

/** Creates a record from what a client wrote, and gives its id. (interface.md "Single-record operations") */
export async function createRecord(ctx: Context, object: ObjectType, input: RecordInput): Promise<string> {
  const values = await prepareRecord(ctx, object, input, 'create')
  return insertRecord(ctx, object, values)
}

/** Writes a new record whose values are prepared. */
export async function insertRecord(ctx: Context, object: ObjectType, values: RecordValues): Promise<string> {
  const id = await ctx.ids.make(object.keyPrefix, ctx.db)
  const complete = withPlatformValues(ctx, object, values, id)
  const statement = writeSql.insert(ctx.org, object, id, complete, stampOf(ctx))
  await writeValues(ctx, object, complete, (db) => db.query(statement))
  return id
}

/** Defaults, the caller as owner, and a name for a custom record that has none. */
function withPlatformValues(
  ctx: Context,
  object: ObjectType,
  values: RecordValues,
  id: string,
): RecordValues {
  const complete = new Map(values)
  applyDefaults(object, complete)
  const owner = object.field('OwnerId')
  if (owner !== undefined && (complete.get(owner) ?? null) === null) complete.set(owner, ctx.principal.userId)
  const name = object.nameField
  if (name?.createable && name.defaultedOnCreate && (complete.get(name) ?? null) === null) {
    complete.set(name, id)
  }
  return complete
}
