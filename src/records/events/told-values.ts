import { oncePer } from '../../base/get-or-insert.ts'
import { tellsChanges } from '../../schema/definitions/event-channels.ts'
import type { Field } from '../../schema/fields/field.ts'
import { listTold } from '../../schema/fields/told-field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'

/** The fields that events of changes tell of. */
export const toldFields = oncePer(({ fields }: ObjectType): readonly Field[] => listTold(fields))

/** The fields that events always have on some channel. */
export const enrichedFields = oncePer((object: ObjectType): readonly string[] => [
  ...new Set(Object.values(unrestricted(object).definition.channels ?? {}).flat()),
])

/** True if changes of the object are told. */
export const isSelected = (object: ObjectType): boolean => tellsChanges(unrestricted(object).definition)
