import type { Context } from '../context.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { coerceRecord } from './coerce.ts'
import type { Purpose, RecordInput, RecordValues } from './record-input.ts'
import { resolveParents } from './references.ts'
import { checkIds, checkRequired, checkWritable, validateValues } from './validate.ts'

/**
 * From a client's body to values that may be written, in the order of contract/records 3.2: members and kinds, write
 * permission, ids, required fields, the values themselves, parents by key.
 */
export async function prepareRecord(
  ctx: Context,
  object: ObjectType,
  input: RecordInput,
  purpose: Purpose,
  key?: Field,
): Promise<RecordValues> {
  const { values, parents } = coerceRecord(object, input, key)
  const byKey = parents.map((parent) => parent.field)
  checkWritable(values, purpose, byKey)
  checkIds(values, ctx.schema)
  checkRequired(object, values, purpose, byKey)
  validateValues(values)
  if (parents.length > 0) await resolveParents(ctx, parents, values, input)
  return values
}
