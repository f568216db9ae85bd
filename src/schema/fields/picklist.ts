import type { FieldType } from './field-type.ts'
import { listedValue, picklistFile, validateListed } from './picklist-value.ts'
import { coerceText, textType, validateLength } from './text.ts'
import { KEY } from './type-in-files.ts'

export const picklist: FieldType = textType({
  name: 'picklist',
  label: 'Picklist',
  file: { ...picklistFile, properties: [...picklistFile.properties, ...KEY] },
  sourceFormat: { name: 'Picklist', reads: ['required', 'values'] },
  history: { dataType: 'DynamicEnum' },
  graphql: 'Picklist',
  listed: true,
  formula: { type: 'Picklist' },
  sortedAsListed: true,
  controllingValues: (listed) => listed,
  coerce(value, field) {
    const text = coerceText(value)
    return text === null ? null : listedValue(text, field)
  },
  validate(value, field) {
    validateLength(value, field)
    validateListed(value as string, field)
  },
})
