import { ApiError } from '../../base/api-error.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

const DONE = { createable: 'inserted', updateable: 'updated', deletable: 'deleted' } as const

/**
 * Refuses an operation that the object does not allow, or not to the caller. Every write of a client's records begins with it.
 * @param object as the caller sees it
 */
export function checkAllowed({ name, definition }: ObjectType, right: keyof typeof DONE): void {
  if (definition[right] !== false) return
  if (definition.historyOf === undefined)
    throw new ApiError('INSUFFICIENT_ACCESS', `Records of ${name} are not ${right}`)
  throw new ApiError(
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    `entity type cannot be ${DONE[right]}: ${definition.label}`,
  )
}
