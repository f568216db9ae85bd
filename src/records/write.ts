import type { Context } from '../context.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Db } from '../storage/db.ts'
import { duplicatedField, duplicateValue } from './duplicate-value.ts'
import { checkOwner } from './owner.ts'
import type { RecordValues } from './record-input.ts'
import { hasReferences, lockReferences } from './references.ts'

/**
 * Carries out one statement that writes values. With references among them the parents are locked first, in one
 * transaction; without, the statement is its own. A duplicate value becomes its error.
 */
export async function writeValues<T>(
  ctx: Context,
  object: ObjectType,
  values: RecordValues,
  statement: (db: Db) => Promise<T>,
): Promise<T> {
  try {
    if (!hasReferences(ctx, [values])) return await ctx.db.attempt(statement)
    return await ctx.db.transaction(async (tx) => {
      await lockReferences(ctx, tx, [values])
      await checkOwner(ctx, tx, object, values)
      return statement(tx)
    })
  } catch (failure) {
    const field = duplicatedField(object, failure)
    throw field === undefined ? failure : await duplicateValue(ctx, object, field, values)
  }
}
