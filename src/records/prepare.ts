import type { Context } from '../context.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { coerceRecord } from './coerce.ts'
import type { Purpose, RecordInput, RecordValues } from './record-input.ts'
import { resolveParents } from './references.ts'
import { checkRequired, checkWritable, validateValues } from './validate.ts'

/**
 * From a client's body to values that may be written, in the order of contract/records 3.2: members and kinds, write
 * permission, parents by key, required fields, then the values themselves.
 */
export async function prepareRecord(
  ctx: Context,
  object: ObjectType,
  input: RecordInput,
  purpose: Purpose,
  key?: Field,
): Promise<RecordValues> {
  const { values, parents } = coerceRecord(object, input, key)
  checkWritable(
    values,
    purpose,
    parents.map((parent) => parent.field),
  )
  if (parents.length > 0) await resolveParents(ctx, parents, values)
  if (purpose === 'create') checkRequired(object, values)
  validateValues(values, ctx.schema)
  return values
}
