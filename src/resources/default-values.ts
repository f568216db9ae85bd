import { ApiError } from '../base/api-error.ts'
import { asDecimal } from '../base/decimal-json.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { applyDefaults } from '../records/prepare/defaults.ts'
import { findFields } from '../records/read/read.ts'
import type { RecordType } from '../schema/definitions/definition.ts'
import type { Field, RecordValues } from '../schema/fields/field.ts'
import { RECORD_TYPE_ID } from '../schema/objects/expand-definition.ts'
import { type ObjectType, unrestricted } from '../schema/objects/object-type.ts'
import { MASTER } from '../schema/record-types/get-record-types.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import type { ColumnValue } from '../storage/database/db.ts'
import { findObject } from './find-object.ts'

/** The type that `?recordTypeId=` names; the one that a record gets by itself when it is empty or absent. */
function requestedType({ name, definition }: ObjectType, id: string | null): RecordType {
  const types = definition.recordTypes ?? []
  if (id === null || id === '') return types.find((type) => type.default === true) ?? MASTER
  const wanted = canonicalRecordId(id)
  const type = [...types, MASTER].find((one) => one.id === wanted && one.inactive !== true)
  if (type !== undefined) return type
  const message = `The parameter recordTypeId names no record type of ${name}: ${id.slice(0, 255)}`
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)
}

/** The values of the caller's new record of a type without any input. */
function valuesOfNew(ctx: Context, object: ObjectType, type: RecordType): RecordValues {
  const values: RecordValues = new Map()
  const [typeField, owner] = [object.field(RECORD_TYPE_ID), object.field('OwnerId')]
  if (typeField !== undefined) values.set(typeField, type === MASTER ? null : type.id!)
  if (owner !== undefined) values.set(owner, ctx.principal.userId)
  applyDefaults(object, values, ctx.principal.orgDefaults)
  return values
}

/** The value in a field as the wire shows it; a default stands there as its definition writes it. */
function shown(field: Field, defaultValue: ColumnValue | undefined): unknown {
  if (!field.createable) return null
  if (defaultValue === undefined || defaultValue === null)
    return field.type.literal === 'boolean' ? false : null
  const value = field.type.coerce(defaultValue, field)
  if (value === null) return null
  if (field.type.decimal === true) return asDecimal(value as number)
  return field.type.read?.(value, '', field) ?? value
}

/**
 * `?recordTypeId=012...&fields=A,B`: what a form for a new record starts with. Without `fields`, what there is a default
 * for; with them, null where there is none.
 */
const defaultValues: Handler<{ object: string }> = (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const whole = unrestricted(object)
  const values = valuesOfNew(ctx, whole, requestedType(object, call.query.get('recordTypeId')))
  const names = call.query.get('fields') ?? ''
  const body: RecordBody = { attributes: { type: object.name } }
  for (const field of names === '' ? object.fields : findFields(object, names.split(','))) {
    const value = shown(field, values.get(whole.field(field.name)!))
    if (value !== null || names !== '') body[field.name] = value
  }
  return { status: 200, body }
}

/** Default values of new records. */
export const defaultValueRoutes = [route('GET', '/sobjects/:object/defaultValues', 'describe', defaultValues)]
