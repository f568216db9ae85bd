import type { FieldType } from './field-type.ts'
import { picklistFile } from './picklist-value.ts'
import { textType } from './text.ts'

/** A text with proposals: the listed values are offered, any other is accepted. */
export const combobox: FieldType = textType({
  name: 'combobox',
  label: 'Picklist',
  file: picklistFile,
  sourceFormat: { name: 'Picklist', isOther: true, reads: [] },
  searchedAs: 'text',
  groupable: false,
  listed: true,
})
