import type { Field } from '../fields/field.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import type { ObjectType } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { describeFieldOf } from './describe-field.ts'

/** Where the fields of layouts are looked up. */
export interface LayoutLocation {
  readonly schema: SchemaSnapshot
  readonly object: ObjectType
}

/** The parts of a compound field are written, not the field itself. */
const written = (field: Field): readonly Field[] => (field.parts.length > 0 ? field.parts : [field])

export const isWritable = (field: Field) =>
  written(field).some(({ createable, updateable }) => createable || updateable)

/** True if somebody who fills in a form has to give a value: nobody else does, or only a default would. */
function isRequiredInForm(field: Field): boolean {
  const { nillable, type, defaultedOnCreate } = field
  if (!isWritable(field) || nillable || type.alwaysFilled === true) return false
  return !defaultedOnCreate || field.default !== undefined
}

/** Long texts take more than a line. */
const displayLines = ({ type, definition }: Field) =>
  type.facts?.(definition).extraTypeInfo?.endsWith('area') ? 6 : 1

function component(location: LayoutLocation, field: Field, tabOrder: number): object {
  const { schema, object } = location
  return {
    components: field.parts.map((part) => component(location, part, tabOrder)),
    details: describeFieldOf(schema, object, field),
    displayLines: displayLines(field),
    ...(field.parts.length > 0 && { fieldType: FIELD_TYPES[field.definition.type].describedAs }),
    tabOrder,
    type: 'Field',
    value: field.name,
  }
}

const separator = (tabOrder: number) => ({
  components: [],
  details: null,
  displayLines: 1,
  tabOrder,
  type: 'Separator',
  value: ', ',
})

/** A place of a layout with a field in it. */
export function layoutItem(location: LayoutLocation, field: Field, tabOrder: number) {
  return {
    editableForNew: written(field).some(({ createable }) => createable),
    editableForUpdate: written(field).some(({ updateable }) => updateable),
    label: field.label,
    layoutComponents: [component(location, field, tabOrder)],
    placeholder: false,
    required: written(field).some(isRequiredInForm),
  }
}

/** A place with two fields that nobody writes: who did something, and when. */
export function signatureItem(
  location: LayoutLocation,
  label: string,
  fields: readonly [Field, Field],
  tabOrder: number,
) {
  const [who, when] = fields
  return {
    editableForNew: false,
    editableForUpdate: false,
    label,
    layoutComponents: [
      component(location, who, tabOrder),
      separator(tabOrder),
      component(location, when, tabOrder),
    ],
    placeholder: false,
    required: false,
  }
}
