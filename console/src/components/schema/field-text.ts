import type { Field } from '../../api/describe.ts'

/** A label where it says more than the name that it stands beside: `Last Name` does not beside `LastName`. */
export const labelBeside = (name: string, label: string): string[] =>
  label.replaceAll(/\W/g, '').toLowerCase() === name.toLowerCase() ? [] : [label]

/** Types whose length says nothing to people. */
const UNMEASURED = new Set(['id', 'reference', 'picklist', 'multipicklist'])

/** A field's type as people write it: `string(80)`, `currency(16, 2)`. */
export function typeOf({ type, length, precision, scale }: Field): string {
  if (precision > 0) return `${type}(${precision}, ${scale})`
  return length > 0 && !UNMEASURED.has(type) ? `${type}(${length})` : type
}

/** Returns further facts that are worth knowing before a field is used. */
export const traitsOf = (field: Field): string[] => [
  ...(field.calculated ? ['calculated'] : []),
  ...(field.autoNumber ? ['auto number'] : []),
  ...(field.createable && !field.nillable && !field.defaultedOnCreate ? ['required'] : []),
  ...(field.unique ? ['unique'] : []),
  ...(field.externalId ? ['external id'] : []),
  ...(field.encrypted ? ['encrypted'] : []),
  ...(field.filterable ? [] : ['not filterable']),
]
