import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Field, isRequired } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import type { Purpose, RecordValues } from './record-input.ts'

/** Refuses fields that a client may not write. All of them are named at once. */
export function checkWritable(values: RecordValues, purpose: Purpose, also: readonly Field[] = []): void {
  const refused = [...values.keys(), ...also].filter((field) =>
    purpose === 'create' ? !field.createable : !field.updateable,
  )
  if (refused.length === 0) return
  const fields = refused.map((field) => field.name)
  throw new ApiError(
    'INVALID_FIELD_FOR_INSERT_UPDATE',
    `Unable to create/update fields: ${fields.join(', ')}. Please check the security settings of this field and verify that it is read/write for your profile or permission set.`,
    { fields },
  )
}

function requiredMissing(fields: readonly string[]): ApiError {
  return new ApiError('REQUIRED_FIELD_MISSING', `Required fields are missing: [${fields.join(', ')}]`, {
    fields,
  })
}

/** A create needs a value for every required field. */
export function checkRequired(object: ObjectType, values: RecordValues): void {
  const missing = object.fields.filter((field) => isRequired(field) && (values.get(field) ?? null) === null)
  if (missing.length > 0) throw requiredMissing(missing.map((field) => field.name))
}

/** An id in a reference field must be an id, and of an object that the field may point to. */
function checkReference(field: Field, id: string, schema: SchemaSnapshot): void {
  const target = canonicalRecordId(id) === undefined ? undefined : schema.objectOfId(id)
  if (target === undefined || !field.referenceTo.includes(target.name)) {
    throw new ApiError('MALFORMED_ID', `${field.label}: id value of incorrect type: ${id.slice(0, 255)}`, {
      fields: [field.name],
    })
  }
}

/** Ids first, then nulls, then what each type allows. */
export function validateValues(values: RecordValues, schema: SchemaSnapshot): void {
  for (const [field, value] of values) {
    if (field.referenceTo.length > 0 && value !== null) checkReference(field, value as string, schema)
  }
  const nulled = [...values].filter(([field, value]) => value === null && !field.nillable)
  const missing = nulled.filter(([field]) => !field.type.alwaysFilled)
  if (missing.length > 0) throw requiredMissing(missing.map(([field]) => field.name))
  for (const [field, value] of values) {
    if (value !== null) field.type.validate?.(value, field)
  }
}
