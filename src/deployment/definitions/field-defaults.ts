import { splitCustomName } from '../../schema/definitions/custom-name.ts'
import type { FieldDefinition } from '../../schema/definitions/definition.ts'
import type { FileFieldType } from './field-file.ts'

/** Default properties of each field type. */
export const FIELD_DEFAULTS: Readonly<Record<FileFieldType, Partial<FieldDefinition>>> = {
  string: { length: 255 },
  textarea: { length: 255 },
  longtextarea: { length: 32_768 },
  richtextarea: { length: 32_768 },
  encryptedstring: { length: 175 },
  email: { length: 80 },
  phone: { length: 40 },
  url: { length: 255 },
  boolean: {},
  int: {},
  double: { precision: 18, scale: 0 },
  currency: { precision: 18, scale: 2 },
  percent: { precision: 18, scale: 2 },
  date: {},
  datetime: {},
  time: {},
  picklist: { length: 255 },
  combobox: { length: 255 },
  multipicklist: { length: 4099, precision: 4 },
  reference: {},
  autonumber: { format: '{0}' },
  address: {},
  location: {},
  base64: {},
}

/** Default properties of the name field of a custom object, where they differ. */
export const NAME_DEFAULTS: Readonly<Partial<Record<FileFieldType, { readonly length: number }>>> = {
  string: { length: 80 },
}

/** Makes `Start Date` of `Start_Date__c`, and of `acme__Start_Date__c`. */
export function makeLabel(name: string): string {
  return splitCustomName(name)
    .base.replace(/__[a-z]+$/i, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
}

/** Makes an English plural: Boxes, Cities, Projects. */
export function makePlural(label: string): string {
  if (/(s|x|z|ch|sh)$/i.test(label)) return `${label}es`
  return /[^aeiou]y$/i.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`
}

/** The relationship name of a reference: `Start_Date__r` for `Start_Date__c`. */
export const makeRelationshipName = (name: string): string | undefined =>
  name.endsWith('__c') ? name.replace(/__c$/, '__r') : undefined
