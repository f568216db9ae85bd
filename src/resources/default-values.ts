import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { defaultsOf } from '../records/defaults.ts'
import { namedFields } from '../records/read.ts'
import type { RecordType } from '../schema/definition.ts'
import { RECORD_TYPE_ID } from '../schema/expand-definition.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { RecordBody } from '../schema/record-shape.sql.ts'
import { MASTER } from '../schema/record-types-of.ts'
import { objectOf } from './object-of.ts'

/** The type that `?recordTypeId=` names; the one that a record gets by itself when it is empty or absent. */
function askedType({ name, definition }: ObjectType, id: string | null): RecordType {
  const types = definition.recordTypes ?? []
  if (id === null || id === '') return types.find((type) => type.default === true) ?? MASTER
  const wanted = canonicalRecordId(id)
  const type = [...types, MASTER].find((one) => one.id === wanted && one.inactive !== true)
  if (type !== undefined) return type
  const message = `The parameter recordTypeId names no record type of ${name}: ${id.slice(0, 255)}`
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)
}

/** What the caller's new record would hold in a field; undefined: nothing. */
function defaultOf(ctx: Context, object: ObjectType, field: Field, type: RecordType): unknown {
  if (field.name === 'OwnerId') return ctx.principal.userId
  if (field.name === RECORD_TYPE_ID) return type === MASTER ? undefined : type.id
  const standing = defaultsOf(object, type).find((one) => one.field.name === field.name)
  if (standing === undefined) return field.type.literal === 'boolean' ? false : undefined
  const value = field.type.coerce(standing.value, field)
  return value === null ? undefined : (field.type.read?.(value, '', field) ?? value)
}

/**
 * `?recordTypeId=012...&fields=A,B`: what a form for a new record starts with. Without `fields`, what there is a default
 * for; with them, null where there is none.
 */
const defaultValues: Handler<{ object: string }> = (ctx, call, params) => {
  const object = objectOf(ctx, params.object)
  const type = askedType(object, call.query.get('recordTypeId'))
  const names = call.query.get('fields') ?? ''
  const body: RecordBody = { attributes: { type: object.name } }
  for (const field of names === '' ? object.fields : namedFields(object, names.split(','))) {
    const value = field.createable ? defaultOf(ctx, object, field, type) : undefined
    if (value !== undefined || names !== '') body[field.name] = value ?? null
  }
  return { status: 200, body }
}

/** What new records hold that say nothing else. */
export const defaultValueRoutes = [route('GET', '/sobjects/:object/defaultValues', 'describe', defaultValues)]
