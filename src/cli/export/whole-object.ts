import type { DescribedField, DescribedObject } from '../reach/described-object.ts'

/** A compound field is there in its parts; of bytes a query gives only the address. */
const NOT_WRITTEN = ['address', 'location', 'base64']

const mayComeBack = ({ createable, type }: DescribedField) => createable && !NOT_WRITTEN.includes(type)

/**
 * The query for all records of an object: with the fields that an import may write, and the id.
 * @param all with every other field too
 */
export function wholeObject({ name, fields }: DescribedObject, all: boolean): string {
  const wanted = fields.filter((field) => all || field.name === 'Id' || mayComeBack(field))
  return `SELECT ${wanted.map((field) => field.name).join(', ')} FROM ${name}`
}
