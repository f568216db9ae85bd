import type { FieldFile, FileValue } from '../../definitions/formats/field-file.ts'
import { valuesOfBits } from '../../schema/describe/valid-for.ts'
import type { DescribedField } from './described-object.ts'

/** Values of a controlling field, in the order of the bits of `validFor`. */
const controllingValues = ({ picklistValues }: DescribedField) =>
  picklistValues!.length > 0 ? picklistValues!.map(({ value }) => value) : ['false', 'true']

/** The values of a described picklist with their controlling values. */
export function readListed(field: DescribedField, controller: DescribedField | undefined): FieldFile {
  const possible = controller && controllingValues(controller)
  const values = field.picklistValues!.map(({ active, defaultValue, label, validFor, value }): FileValue => {
    const valid = possible && validFor !== null ? valuesOfBits(validFor, possible) : undefined
    return {
      value,
      ...(label !== null && label !== value && { label }),
      ...(defaultValue && { default: true }),
      ...(!active && { inactive: true }),
      ...(valid !== undefined && valid.length < possible!.length && { validFor: valid }),
    }
  })
  return {
    values,
    ...(controller !== undefined && { controller: controller.name }),
    ...(field.restrictedPicklist && { restricted: true }),
  }
}
