import type { RecordType } from '../definitions/definition.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** The record type that every object has, and that records without a type have. */
export const MASTER: RecordType = { name: 'Master', label: 'Master', id: '012000000000000AAA' }

/** The record types of an object, the master last; `isDefault` marks the type of a record that names none. */
export function getRecordTypes({ definition: { recordTypes = [] } }: ObjectType) {
  const defaultType = recordTypes.find((type) => type.default === true) ?? MASTER
  return [...recordTypes, MASTER].map((type) => ({
    ...type,
    master: type === MASTER,
    isDefault: type === defaultType,
  }))
}

/** The record type with the id; the master when there is no id, or no definition has the type. */
export function getRecordType(object: ObjectType, id: unknown): RecordType {
  return object.definition.recordTypes?.find((type) => type.id === id) ?? MASTER
}
