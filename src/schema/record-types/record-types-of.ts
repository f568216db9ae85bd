import type { RecordType } from '../definitions/definition.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** What every object has, and a record that is of no type. */
export const MASTER: RecordType = { name: 'Master', label: 'Master', id: '012000000000000AAA' }

/** The record types of an object, the master last; `standing`: the one that a record gets which names none. */
export function recordTypesOf({ definition: { recordTypes = [] } }: ObjectType) {
  const memberships = recordTypes.find((type) => type.default === true) ?? MASTER
  return [...recordTypes, MASTER].map((type) => ({
    ...type,
    master: type === MASTER,
    memberships: type === memberships,
  }))
}

/** The record type of a record by its id; one that has none is of the master, and so is one of a type that is written nowhere. */
export function recordTypeOf(object: ObjectType, id: unknown): RecordType {
  return object.definition.recordTypes?.find((type) => type.id === id) ?? MASTER
}
