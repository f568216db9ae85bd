import { oncePer } from '../../base/get-or-insert.ts'
import type { RecordType } from '../definitions/definition.ts'
import type { Field, ListedValue } from '../fields/field.ts'

/** The values that a type lists for a picklist, however its definition spells the field; undefined: all of them. */
function listed(field: Field, { picklists = {} }: RecordType): readonly string[] | undefined {
  const name = Object.keys(picklists).find((known) => known.toLowerCase() === field.name.toLowerCase())
  return name === undefined ? undefined : picklists[name]
}

/** The values of a picklist that a record type allows. */
export function allowedPicklistValues(field: Field, type: RecordType): readonly ListedValue[] {
  const names = listed(field, type)
  const living = field.picklist.filter(({ inactive }) => !inactive)
  if (names === undefined) return living
  const allowedValues = new Set(names)
  return living.filter(({ value }) => allowedValues.has(value))
}

const setsOf = oncePer((type: RecordType) =>
  oncePer((field: Field) => new Set(allowedPicklistValues(field, type).map(({ value }) => value))),
)

/** The same as a set, which is kept. */
export const getAllowedValues = (field: Field, type: RecordType): ReadonlySet<string> => setsOf(type)(field)

/** True if any of the record types restricts the values of a picklist. */
export const isLimited = (field: Field, types: readonly RecordType[]): boolean =>
  types.some((type) => listed(field, type) !== undefined)

/** The default of a field for a new record of a type; none if the type does not allow it. */
export function defaultFor(field: Field, type: RecordType): Field['default'] {
  const allowedValues = listed(field, type)
  return allowedValues === undefined || allowedValues.includes(String(field.default))
    ? field.default
    : undefined
}

type Dependencies = ReadonlyMap<unknown, ReadonlySet<string> | undefined>

/** The values of the controlling field beside which each value of a picklist is allowed; undefined: beside all of them. */
const getDependencies = oncePer<Field, Dependencies>(
  ({ picklist }) =>
    new Map(picklist.toReversed().map(({ value, validFor }) => [value, validFor && new Set(validFor)])),
)

/** True if the value of the controlling field allows a value of a dependent picklist. */
export function isAllowedBeside(field: Field, value: unknown, controller: Field, held: unknown): boolean {
  const beside = String(held ?? controller.type.emptyValue ?? '')
  const validFor = getDependencies(field).get(value)
  return validFor === undefined || validFor.has(beside)
}
