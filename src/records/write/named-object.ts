import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** The object with the name. */
export function namedObject(ctx: Context, name: string): ObjectType {
  const object = ctx.visible.object(name)
  if (object === undefined) {
    throw new ApiError('INVALID_TYPE', `sObject type '${name.slice(0, 255)}' is not supported.`)
  }
  return object
}

/** The id that a record of a list gives, in 18 characters. */
export function namedId(object: ObjectType, text: unknown): string {
  const id = typeof text === 'string' ? canonicalRecordId(text) : undefined
  if (id?.startsWith(object.keyPrefix)) return id
  const shown = String(text).slice(0, 255)
  throw new ApiError('MALFORMED_ID', `${object.name} ID: id value of incorrect type: ${shown}`, {
    fields: ['Id'],
  })
}
