import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { ColumnValue } from '../storage/db.ts'
import type { RecordValues } from './record-input.ts'

interface FieldDefault {
  readonly field: Field
  readonly value: ColumnValue
}

function defaultOf(field: Field): ColumnValue | undefined {
  const { default: given } = field.definition
  if (given !== undefined) return given
  return field.picklist.find((entry) => entry.default)?.value
}

const known = new WeakMap<ObjectType, readonly FieldDefault[]>()

function defaultsOf(object: ObjectType): readonly FieldDefault[] {
  let defaults = known.get(object)
  if (defaults === undefined) {
    defaults = object.fields.flatMap((field) => {
      const value = defaultOf(field)
      return value === undefined || field.column === undefined ? [] : [{ field, value }]
    })
    known.set(object, defaults)
  }
  return defaults
}

/**
 * Fills what a create leaves out: defaults of fields, and false for a boolean that is null. A null that the client
 * wrote into another field stays null.
 */
export function applyDefaults(object: ObjectType, values: RecordValues): void {
  for (const { field, value } of defaultsOf(object)) {
    if (!values.has(field)) values.set(field, value)
  }
  for (const [field, value] of values) {
    if (value === null && field.type.alwaysFilled) values.set(field, defaultOf(field) ?? false)
  }
}
