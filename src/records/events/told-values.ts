import { withoutText } from '../../base/decimal-json.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { tellsChanges } from '../../schema/definitions/event-channels.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { listTold, mayShow } from '../../schema/fields/told-field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'

/** The fields that events of changes tell of. */
export const toldFields = oncePer(({ fields }: ObjectType): readonly Field[] => listTold(fields))

/** The fields that events always have on some channel. */
export const enrichedFields = oncePer((object: ObjectType): readonly string[] => [
  ...new Set(Object.values(unrestricted(object).definition.channels ?? {}).flat()),
])

/** True if changes of the object are told. */
export const isSelected = (object: ObjectType): boolean => tellsChanges(unrestricted(object).definition)

/** A value that is to be written, as it will be read. */
function readWritten(field: Field, value: Exclude<ColumnValue, null>): unknown {
  const { type } = field
  // The database rounds, and stores no halves of characters.
  if (type.decimal === true) return type.coerce(value, field)
  const stored = typeof value === 'string' ? value.toWellFormed() : value
  return type.read === undefined ? stored : withoutText(type.read(stored, '', field))
}

/** What a field will have that is written: null if nothing. */
export function toldValue(field: Field, values: RecordValues): unknown {
  const value = values.get(field) ?? null
  if (value !== null) return readWritten(field, value)
  const { emptyValue } = field.type
  if (emptyValue === undefined) return null
  // The column's own default.
  return values.has(field) ? emptyValue : field.definition.default === true
}

/** The values of a new record that events tell: those that are not empty. */
export function listWritten(object: ObjectType, values: RecordValues): Readonly<Record<string, unknown>> {
  const told: Record<string, unknown> = {}
  for (const field of toldFields(object)) {
    const value = mayShow(field) ? toldValue(field, values) : null
    if (value !== null) told[field.name] = value
  }
  return told
}
