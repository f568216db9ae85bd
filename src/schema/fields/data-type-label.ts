import type { FieldTypeName } from '../definitions/definition.ts'
import type { Field } from './field.ts'

const ofLength = (name: string) => (field: Field) => `${name}(${facts(field).length})`

/** Digits before and after the point. */
const ofDigits =
  (name: string) =>
  (field: Field): string => {
    const { precision = 0, scale = 0, digits } = facts(field)
    return `${name}(${(digits ?? precision) - scale}, ${scale})`
  }

const facts = ({ type, definition }: Field) => type.facts?.(definition) ?? {}

const reference = ({ definition }: Field, referenceTo: readonly string[]) =>
  `${definition.masterDetail === undefined ? 'Lookup' : 'Master-Detail'}(${referenceTo.join(',')})`

const LABELS: Readonly<Record<FieldTypeName, (field: Field, referenceTo: readonly string[]) => string>> = {
  address: () => 'Address',
  anytype: () => 'Any',
  autonumber: () => 'Auto Number',
  base64: () => 'Base64',
  boolean: () => 'Checkbox',
  combobox: () => 'Picklist',
  currency: ofDigits('Currency'),
  date: () => 'Date',
  datetime: () => 'Date/Time',
  double: ofDigits('Number'),
  email: () => 'Email',
  encryptedstring: ofLength('Text (Encrypted)'),
  id: () => 'ID',
  int: ofDigits('Number'),
  location: () => 'Geolocation',
  longtextarea: ofLength('Long Text Area'),
  multipicklist: () => 'Picklist (Multi-Select)',
  percent: ofDigits('Percent'),
  personname: () => 'Name',
  phone: () => 'Phone',
  picklist: () => 'Picklist',
  reference,
  richtextarea: ofLength('Rich Text Area'),
  string: ofLength('Text'),
  textarea: ofLength('Text Area'),
  time: () => 'Time',
  url: ofLength('URL'),
}

/**
 * The type of a field as people see it: `Text(80)`, `Lookup(Account)`, `Formula (Currency)`.
 * @param referenceTo the objects that it points to, as far as the reader may see them
 */
export function dataTypeLabel(field: Field, referenceTo: readonly string[]): string {
  const { definition, type } = field
  const label = LABELS[type.name](field, referenceTo)
  if (definition.computed === true) return `Formula (${label.replace(/\(.*/, '').trim()})`
  const unique = definition.unique === true && !type.counted
  const marks = [
    definition.externalId === true && ' (External ID)',
    unique && ` (Unique Case ${definition.caseSensitive === true ? 'Sensitive' : 'Insensitive'})`,
  ]
  return label + marks.filter((mark) => mark !== false).join('')
}
