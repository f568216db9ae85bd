import type { ObjectDefinition, ViewDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'

/** An object that nobody writes: a view makes its records. */
export const makeViewObject = (
  object: Pick<ObjectDefinition, 'name' | 'label' | 'labelPlural' | 'keyPrefix' | 'description'>,
  fields: readonly FieldDefinition[],
  view: ViewDefinition,
): ObjectDefinition => ({
  ...object,
  ownerless: true,
  createable: false,
  updateable: false,
  deletable: false,
  searchable: false,
  fields,
  view,
})

export const text = (name: string, label: string, length = 255): FieldDefinition => ({
  name,
  label,
  type: 'string',
  length,
})

/** The field that names a record. */
export const nameText = (name: string, label: string, length = 255): FieldDefinition => ({
  ...text(name, label, length),
  nameField: true,
})

export const longText = (name: string, label: string): FieldDefinition => ({
  name,
  label,
  type: 'longtextarea',
  length: 131_072,
})

export const flag = (name: string, label: string): FieldDefinition => ({ name, label, type: 'boolean' })
export const whole = (name: string, label: string): FieldDefinition => ({ name, label, type: 'int' })
export const moment = (name: string, label: string): FieldDefinition => ({ name, label, type: 'datetime' })
export const day = (name: string, label: string): FieldDefinition => ({ name, label, type: 'date' })

export const picklist = (
  name: string,
  label: string,
  values: NonNullable<FieldDefinition['values']>,
): FieldDefinition => ({ name, label, type: 'picklist', length: 40, values, restricted: true })

/** A reference whose way up has the name of the field without `Id`. */
export const reference = (name: string, label: string, ...to: string[]): FieldDefinition => ({
  name,
  label,
  type: 'reference',
  to,
  relationship: name.replace(/Id$/, ''),
})
