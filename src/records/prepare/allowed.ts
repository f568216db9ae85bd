import { ApiError } from '../../base/api-error.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** Refuses an operation that the object does not allow to any client. */
export function checkAllowed(object: ObjectType, right: 'createable' | 'updateable' | 'deletable'): void {
  if (object.definition[right] !== false) return
  throw new ApiError('INSUFFICIENT_ACCESS', `Records of ${object.name} are not ${right}`)
}
