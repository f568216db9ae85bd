import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { valueLocation } from '../../schema/objects/value-location.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'

/** Returns a copy: a retried write needs the plain values again. */
function encryptRecord({ cipher }: Context, object: ObjectType, record: PlannedRecord): PlannedRecord {
  const values: RecordValues = new Map(record.values)
  for (const field of object.encryptedFields) {
    const value = values.get(field)
    if (typeof value !== 'string') continue
    values.set(field, cipher.seal(value, valueLocation(object, field, record.id)))
  }
  return { ...record, values }
}

/** The records with the values of encrypted fields encrypted, ready for the database. */
export const encryptValues = (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): readonly PlannedRecord[] =>
  object.encryptedFields.length === 0 ? records : records.map((record) => encryptRecord(ctx, object, record))
