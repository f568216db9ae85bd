import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { ColumnValue } from '../storage/db.ts'
import type { RecordValues } from './record-input.ts'

interface FieldDefault {
  readonly field: Field
  readonly value: ColumnValue
}

const known = new WeakMap<ObjectType, readonly FieldDefault[]>()

function defaultsOf(object: ObjectType): readonly FieldDefault[] {
  let defaults = known.get(object)
  if (defaults === undefined) {
    defaults = object.fields.flatMap((field) => {
      const { default: value } = field
      return value === undefined || field.column === undefined ? [] : [{ field, value }]
    })
    known.set(object, defaults)
  }
  return defaults
}

/**
 * Fills what a create leaves out: defaults of fields, and false for a boolean that is null. A null that the client
 * wrote stays null where the field may be.
 */
export function applyDefaults(object: ObjectType, values: RecordValues): void {
  for (const { field, value } of defaultsOf(object)) {
    const given = values.get(field)
    if (given === undefined || (given === null && !field.nillable)) values.set(field, value)
  }
  for (const [field, value] of values) {
    if (value === null && field.type.alwaysFilled) values.set(field, false)
  }
}
