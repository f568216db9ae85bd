import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { valueLocation } from '../../schema/objects/value-location.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import type { RecordValues } from '../prepare/record-input.ts'

/** The record's own values stay plain: a write that failed begins again with them. */
function sealRecord({ cipher }: Context, object: ObjectType, record: PlannedRecord): PlannedRecord {
  const values: RecordValues = new Map(record.values)
  for (const field of object.encryptedFields) {
    const value = values.get(field)
    if (typeof value !== 'string') continue
    values.set(field, cipher.seal(value, valueLocation(object, field, record.id)))
  }
  return { ...record, values }
}

/** Records on the last step of their way into the database: what is never stored as it is has been encrypted. */
export const encryptValues = (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): readonly PlannedRecord[] =>
  object.encryptedFields.length === 0 ? records : records.map((record) => sealRecord(ctx, object, record))
