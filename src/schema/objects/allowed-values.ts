import type { RecordType } from '../definitions/definition.ts'
import type { Field, ListedValue } from '../fields/field.ts'

/** The values that a type lists for a picklist, however its definition spells the field; undefined: all of them. */
function listed(field: Field, { picklists = {} }: RecordType): readonly string[] | undefined {
  const name = Object.keys(picklists).find((known) => known.toLowerCase() === field.name.toLowerCase())
  return name === undefined ? undefined : picklists[name]
}

/** The values of a picklist that records of a type are offered. */
export function allowedPicklistValues(field: Field, type: RecordType): readonly ListedValue[] {
  const allowedValues = listed(field, type)
  const living = field.picklist.filter(({ inactive }) => !inactive)
  return allowedValues === undefined ? living : living.filter(({ value }) => allowedValues.includes(value))
}

/** Whether some of the types offer less than all values of a picklist. */
export const isLimited = (field: Field, types: readonly RecordType[]): boolean =>
  types.some((type) => listed(field, type) !== undefined)

/** What a new record of a type gets that does not name the field: a default that is not offered is none. */
export function defaultFor(field: Field, type: RecordType): Field['default'] {
  const allowedValues = listed(field, type)
  return allowedValues === undefined || allowedValues.includes(String(field.default))
    ? field.default
    : undefined
}

/** Whether a value of a dependent picklist is offered beside what its controlling field holds. */
export function isAllowedBeside(field: Field, value: unknown, controller: Field, held: unknown): boolean {
  const beside = String(held ?? (controller.type.alwaysFilled === true ? false : ''))
  const validFor = field.picklist.find((entry) => entry.value === value)?.validFor
  return validFor === undefined || validFor.includes(beside)
}
