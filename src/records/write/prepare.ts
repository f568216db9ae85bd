import { ApiError } from '../../base/api-error.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { coerceRecord, decodeLongBytes } from '../prepare/coerce.ts'
import type { Purpose, RecordInput } from '../prepare/record-input.ts'
import { checkIds, checkRequired, checkWritable, validateValues } from '../prepare/validate.ts'
import { hasTrigger } from '../steps/triggers.ts'
import { resolveParents, type WithParents } from './parents-by-key.ts'

const unrestrictedField = (object: ObjectType, field: Field): Field => unrestricted(object).field(field.name)!

/** Moves values from the caller's fields to the unrestricted fields: field permissions have been checked by now. */
function toUnrestricted(object: ObjectType, values: RecordValues): RecordValues {
  if (object.unrestricted === undefined) return values
  return new Map([...values].map(([field, value]) => [unrestrictedField(object, field), value]))
}

export const without = (values: RecordValues, key: Field): RecordValues =>
  new Map([...values].filter(([field]) => field !== key))

function prepareOne(
  ctx: Context,
  object: ObjectType,
  input: RecordInput,
  purpose: Purpose,
  key: Field | undefined,
  ownKey: Field | undefined,
): WithParents {
  const { values, parents } = coerceRecord(object, input, purpose, ctx.settings.lenient, key)
  const byKey = parents.map((parent) => parent.field)
  checkWritable(ownKey === undefined ? values : without(values, ownKey), purpose, byKey)
  checkIds(values, ctx.schema)
  // A before-trigger may still set a missing value. Platform events have none.
  if (
    isEventObject(object.name) ||
    !hasTrigger(ctx, object, purpose === 'create' ? 'beforeInsert' : 'beforeUpdate')
  ) {
    checkRequired(object, values, purpose, byKey)
  }
  validateValues(values)
  return {
    input,
    values: toUnrestricted(object, values),
    parents: parents.map((parent) => ({ ...parent, field: unrestrictedField(object, parent.field) })),
  }
}

/**
 * Turns request bodies into values to be written. Checks in this order: members and JSON types, write permission, ids,
 * required fields, values, parents by key. (docs/reference/api/records.md#order-of-checks)
 * @param key the field that names the record in the address
 * @param ownKey the field that names each record among its members, written only where the record is new or the caller may change it
 * @returns for each record its values or its error
 */
export async function prepareRecords(
  ctx: Context,
  object: ObjectType,
  inputs: readonly RecordInput[],
  purpose: Purpose,
  key?: Field,
  ownKey?: Field,
): Promise<(RecordValues | ApiError)[]> {
  const prepared: (WithParents | ApiError)[] = []
  const pauseIfDue = makePauses()
  for (const input of inputs) {
    try {
      const decoded = object.hasBytes ? await decodeLongBytes(object, input, ctx.deadline()) : input
      prepared.push(prepareOne(ctx, object, decoded, purpose, key, ownKey))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      prepared.push(error)
    }
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
  }
  const children = prepared.filter(
    (record): record is WithParents => !(record instanceof ApiError) && record.parents.length > 0,
  )
  const errors = children.length > 0 ? await resolveParents(ctx, children) : undefined
  return prepared.map((record) =>
    record instanceof ApiError ? record : (errors?.get(record) ?? record.values),
  )
}

/** @throws ApiError */
export async function prepareRecord(
  ctx: Context,
  object: ObjectType,
  input: RecordInput,
  purpose: Purpose,
  key?: Field,
): Promise<RecordValues> {
  const [prepared] = await prepareRecords(ctx, object, [input], purpose, key)
  if (prepared instanceof ApiError) throw prepared
  return prepared!
}
