import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { uniqueIndexName } from '../schema/ddl.sql.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { databaseFault } from '../storage/pg-error.ts'
import type { RecordValues } from './record-input.ts'
import { writeSql } from './write.sql.ts'

/** The unique field that a failed write would have given a value twice; undefined when it failed otherwise. */
export function duplicatedField(object: ObjectType, failure: unknown): Field | undefined {
  const fault = databaseFault(failure)
  if (fault?.kind !== 'duplicate') return undefined
  return object.fields.find(
    (field) => field.definition.unique === true && uniqueIndexName(object, field) === fault.constraint,
  )
}

/** The error for it, naming the record that has the value. (contract/records 3.3) */
export async function duplicateValue(
  ctx: Context,
  object: ObjectType,
  field: Field,
  values: RecordValues,
): Promise<ApiError> {
  const [holder] = await ctx.db.query<{ id: string }>(
    writeSql.holderOf(ctx.org, object, field, values.get(field)),
  )
  return new ApiError(
    'DUPLICATE_VALUE',
    `duplicate value found: ${field.name} duplicates value on record with id: ${holder?.id.slice(0, 15) ?? '<unknown>'}`,
  )
}
