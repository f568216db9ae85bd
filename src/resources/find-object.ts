import { ApiError, notFound } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import type { Context } from '../context.ts'
import { wrongKind } from '../records/prepare/coerce.ts'
import type { RecordInput } from '../records/prepare/record-input.ts'
import { type Field, isKey } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** The object that a path names. */
export function findObject(ctx: Context, name: string): ObjectType {
  const object = ctx.visible.object(name)
  if (object === undefined) throw notFound()
  return object
}

const noSuchKey = (segment: string) =>
  new ApiError(
    'NOT_FOUND',
    `Provided external ID field does not exist or is not accessible: ${segment.slice(0, 255)}`,
  )

/** The id that a path names, in 18 characters; anything that is no id of this object is no key either. */
export function parseId(object: ObjectType, segment: string): string {
  const text = segment.endsWith('.json') ? segment.slice(0, -5) : segment
  const id = canonicalRecordId(text)
  if (id === undefined || !id.startsWith(object.keyPrefix)) throw noSuchKey(segment)
  return id
}

/** The field by which a path names a record. */
export function findKeyField({ settings }: Context, object: ObjectType, name: string): Field {
  const field = object.field(name)
  if (field === undefined || !(settings.lenient ? isKey(field) : field.idLookup)) throw noSuchKey(name)
  return field
}

/** A body that is one record. (docs/reference/api/records.md#create) */
export function readRecordInput(call: Call, object: ObjectType): RecordInput {
  const { body, locate } = call
  if (body === undefined) {
    throw new ApiError(
      'JSON_PARSER_ERROR',
      'The HTTP entity body is required, but this request has no entity body.',
    )
  }
  if (Array.isArray(body)) {
    throw new ApiError(
      'INVALID_FIELD',
      "Json Deserialization failed on token 'null' and has left off in the middle of parsing a row. Will go to end of row to begin parsing the next row",
    )
  }
  if (typeof body !== 'object' || body === null) {
    throw wrongKind(object.name, body, { locate }, [])
  }
  return { members: body as Record<string, unknown>, locate }
}
