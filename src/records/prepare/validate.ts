import { ApiError } from '../../base/api-error.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import { type Field, isRequired, type RecordValues } from '../../schema/fields/field.ts'
import { outOfRange } from '../../schema/fields/number.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { missingError } from '../../standard/behaviour/behaviour.ts'
import type { Purpose } from './record-input.ts'

function isWritable(field: Field, purpose: Purpose): boolean {
  if (purpose === 'upsert') return field.createable || field.updateable
  return purpose === 'create' ? field.createable : field.updateable
}

/**
 * Refuses fields that a client may not write. The error names all of them.
 * @param byKey reference fields whose value will be found by a parent's key
 */
export function checkWritable(values: RecordValues, purpose: Purpose, byKey: readonly Field[] = []): void {
  const refused = [...values.keys(), ...byKey].filter((field) => !isWritable(field, purpose))
  if (refused.length === 0) return
  const fields = refused.map((field) => field.name)
  throw new ApiError(
    'INVALID_FIELD_FOR_INSERT_UPDATE',
    `Unable to create/update fields: ${fields.join(', ')}. Please check the security settings of this field and verify that it is read/write for your profile or permission set.`,
    { fields },
  )
}

/** Refuses a reference whose value is not an id of an object that the field may refer to. */
export function checkIds(values: RecordValues, schema: SchemaSnapshot): void {
  for (const [field, id] of values) {
    if (field.referenceTo.length === 0 || typeof id !== 'string') continue
    const target = canonicalRecordId(id) === undefined ? undefined : schema.objectOfId(id)
    if (target !== undefined && field.referenceTo.includes(target.name)) continue
    throw new ApiError('MALFORMED_ID', `${field.label}: id value of incorrect type: ${id.slice(0, 255)}`, {
      fields: [field.name],
    })
  }
}

const getRequiredFields = oncePer(({ fields }: ObjectType) => fields.filter(isRequired))

/** True if the platform gives the record a value. */
function isGivenValue(object: ObjectType, { definition: { requiredUnless } }: Field, values: RecordValues) {
  return requiredUnless !== undefined && values.get(object.field(requiredUnless)!) === true
}

function findMissingOnCreate(object: ObjectType, values: RecordValues, byKey: readonly Field[]): Field[] {
  return getRequiredFields(object).filter(
    (field) =>
      (values.get(field) ?? null) === null && !byKey.includes(field) && !isGivenValue(object, field, values),
  )
}

/** The required fields that an update would clear. Booleans are not among them: null makes them false. */
function findClearedOnUpdate(values: RecordValues): Field[] {
  return [...values.keys()].filter(
    (field) => values.get(field) === null && !field.nillable && field.type.alwaysFilled !== true,
  )
}

/** The error for a record without a value for these fields. */
export const missingFields = (missing: readonly Field[]): ApiError =>
  missingError(missing.map((field) => field.name))

/** Refuses missing required values. For an upsert that is decided when it becomes a create or an update. */
export function checkRequired(
  object: ObjectType,
  values: RecordValues,
  purpose: Purpose,
  byKey: readonly Field[] = [],
): void {
  if (purpose === 'upsert') return
  const missing =
    purpose === 'create' ? findMissingOnCreate(object, values, byKey) : findClearedOnUpdate(values)
  if (missing.length === 0) return
  throw missingFields(missing)
}

/** True if an upsert may write these values to an existing record. */
export function mayUpdate(values: RecordValues): boolean {
  return [...values.keys()].every((field) => field.updateable) && findClearedOnUpdate(values).length === 0
}

/**
 * Refuses a number that the platform computed of others and its field cannot hold. It is not quoted: the caller may write what it follows
 * from without being able to read it.
 * @throws ApiError
 */
export function checkComputedNumbers(values: RecordValues): void {
  for (const [field, value] of values) {
    if (typeof value !== 'number') continue
    try {
      if (Number.isFinite(value)) field.type.validate?.(value, field)
      else throw outOfRange(field)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NUMBER_OUTSIDE_VALID_RANGE') throw outOfRange(field)
      throw error
    }
  }
}

/** Checks each value by the rules of its field type. */
export function validateValues(values: RecordValues): void {
  for (const [field, value] of values) {
    if (value !== null) field.type.validate?.(value, field)
  }
}
