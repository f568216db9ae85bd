import { ApiError } from '../../base/api-error.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

const RIGHTS = {
  insert: 'createable',
  update: 'updateable',
  delete: 'deletable',
  undelete: 'deletable',
} as const

const DONE = { createable: 'inserted', updateable: 'updated', deletable: 'deleted' } as const

/**
 * The error of writes that the object does not allow, or not to the caller. Every write of a client's records begins with it,
 * whichever call asks for them.
 * @param object as the caller sees it
 */
export function findForbidden(
  { name, definition }: ObjectType,
  ...kinds: readonly (keyof typeof RIGHTS)[]
): ApiError | undefined {
  const right = kinds.map((kind) => RIGHTS[kind]).find((one) => definition[one] === false)
  if (right === undefined) return undefined
  const isEntityWithout =
    definition.historyOf !== undefined || (isEventObject(name) && right !== 'createable')
  if (!isEntityWithout) return new ApiError('INSUFFICIENT_ACCESS', `Records of ${name} are not ${right}`)
  return new ApiError(
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    `entity type cannot be ${DONE[right]}: ${definition.label}`,
  )
}
