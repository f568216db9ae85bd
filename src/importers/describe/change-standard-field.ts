import { isDeepStrictEqual } from 'node:util'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import { describeField } from '../../schema/describe/describe-field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { DescribedField, DescribedObject } from './described-object.ts'
import { readListed } from './read-listed.ts'

/** Finds changeable properties of a standard field that differ between an org's describe and Objectry. */
export function changeStandardField(
  object: DescribedObject,
  field: DescribedField,
  standard: ObjectType,
): FieldFile | undefined {
  const known = standard.field(field.name)!
  const controllerName = known.definition.controller
  const ours = describeField(known, controllerName === undefined ? undefined : standard.field(controllerName))
  const controller = object.fields.find(({ name }) => name === field.controllerName)
  const listed = readListed(field, controller)
  const values = field.picklistValues!.map(({ active, defaultValue, label, value }) => ({
    active,
    defaultValue,
    label,
    value,
  }))
  const ourValues = ours.picklistValues.map(({ validFor: _, ...value }) => value)
  const changesValues = !isDeepStrictEqual(values, ourValues) || controller !== undefined
  const change: FieldFile = {
    ...(field.label !== ours.label && { label: field.label }),
    ...(field.inlineHelpText !== ours.inlineHelpText && { help: field.inlineHelpText ?? '' }),
    ...(!field.nillable && ours.nillable && { required: true }),
    ...(changesValues && field.picklistValues!.length > 0 && listed),
    ...(field.restrictedPicklist !== ours.restrictedPicklist && { restricted: field.restrictedPicklist }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}
