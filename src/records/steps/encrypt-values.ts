import { valueLocation } from '../../access/value-cipher.ts'
import { drain, runInSlices } from '../../base/run-in-slices.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
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

function* encryptRecords(ctx: Context, object: ObjectType, records: readonly PlannedRecord[]) {
  const encrypted: PlannedRecord[] = []
  for (const record of records) {
    encrypted.push(encryptRecord(ctx, object, record))
    yield
  }
  return encrypted
}

/** How many values are encrypted without a pause: some milliseconds. */
const MAX_AT_ONCE = 1000

/** The records with the values of encrypted fields encrypted, ready for the database. Many are encrypted in slices. */
export function encryptValues(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): readonly PlannedRecord[] | Promise<readonly PlannedRecord[]> {
  const fields = object.encryptedFields.length
  if (fields === 0) return records
  return fields * records.length > MAX_AT_ONCE
    ? runInSlices(() => encryptRecords(ctx, object, records), ctx.deadline())
    : drain(encryptRecords(ctx, object, records))
}
