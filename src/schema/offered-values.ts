import type { RecordType } from './definition.ts'
import type { Field, ListedValue } from './field.ts'

/** The values of a picklist that records of a type are offered, whatever they were written like in its definition. */
export function offeredValues(field: Field, { picklists = {} }: RecordType): readonly ListedValue[] {
  const name = Object.keys(picklists).find((known) => known.toLowerCase() === field.name.toLowerCase())
  const offered = name === undefined ? undefined : picklists[name]
  const living = field.picklist.filter(({ inactive }) => !inactive)
  return offered === undefined ? living : living.filter(({ value }) => offered.includes(value))
}
