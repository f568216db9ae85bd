import type { RecordType } from '../definitions/definition.ts'
import type { Field, ListedValue } from '../fields/field.ts'

/** The values that a type lists for a picklist, however its definition spells the field; undefined: all of them. */
function listed(field: Field, { picklists = {} }: RecordType): readonly string[] | undefined {
  const name = Object.keys(picklists).find((known) => known.toLowerCase() === field.name.toLowerCase())
  return name === undefined ? undefined : picklists[name]
}

/** The values of a picklist that a record type allows. */
export function allowedPicklistValues(field: Field, type: RecordType): readonly ListedValue[] {
  const allowedValues = listed(field, type)
  const living = field.picklist.filter(({ inactive }) => !inactive)
  return allowedValues === undefined ? living : living.filter(({ value }) => allowedValues.includes(value))
}

/** Whether any of the record types restricts the values of a picklist. */
export const isLimited = (field: Field, types: readonly RecordType[]): boolean =>
  types.some((type) => listed(field, type) !== undefined)

/** The default of a field for a new record of a type; none if the type does not allow it. */
export function defaultFor(field: Field, type: RecordType): Field['default'] {
  const allowedValues = listed(field, type)
  return allowedValues === undefined || allowedValues.includes(String(field.default))
    ? field.default
    : undefined
}

/** Whether the value of the controlling field allows a value of a dependent picklist. */
export function isAllowedBeside(field: Field, value: unknown, controller: Field, held: unknown): boolean {
  const beside = String(held ?? controller.type.emptyValue ?? '')
  const validFor = field.picklist.find((entry) => entry.value === value)?.validFor
  return validFor === undefined || validFor.includes(beside)
}
