import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { ValueSetFile } from '../../definitions/formats/object-file.ts'
import type { Content, XmlContent } from './write-xml.ts'

type FileValue = NonNullable<FieldFile['values']>[number]

const toEntry = (value: FileValue) => (typeof value === 'string' ? { value } : value)

/** The values of a controlling checkbox are spelled differently. */
const CHECKBOX = new Map([
  ['true', 'checked'],
  ['false', 'unchecked'],
])

/** Values in their order. */
const exportValues = (values: readonly FileValue[]): XmlContent[] =>
  values.map((given) => {
    const {
      value,
      label = value,
      default: isDefault = false,
      inactive,
      validFor: _,
      ...status
    } = toEntry(given)
    return {
      fullName: value,
      default: isDefault,
      label,
      ...(inactive === true && { isActive: false }),
      ...(status as Readonly<Record<string, string | number | boolean>>),
    }
  })

/** Which values are offered for which value of the controlling field. */
const exportSettings = (values: readonly FileValue[]): XmlContent[] =>
  values.flatMap((given) => {
    const { value, validFor = [] } = toEntry(given)
    if (validFor.length === 0) return []
    const controllingFieldValue = validFor.map((one) => CHECKBOX.get(one) ?? one)
    return [{ controllingFieldValue, valueName: value }]
  })

/** The `valueSet` of a picklist. */
export function exportValueSet({ values = [], valueSet, controller, restricted }: FieldFile): XmlContent {
  return {
    controllingField: controller,
    restricted: restricted === true ? true : undefined,
    ...(valueSet === undefined
      ? { valueSetDefinition: { sorted: false, value: exportValues(values) } }
      : { valueSetName: valueSet }),
    ...(controller !== undefined && { valueSettings: exportSettings(values) }),
  }
}

/** The content of the file of a global value set. */
export const exportGlobalValueSet = (
  name: string,
  { label = name, description, values }: ValueSetFile,
): Content => ({
  customValue: exportValues(values),
  description,
  masterLabel: label,
  sorted: false,
})
