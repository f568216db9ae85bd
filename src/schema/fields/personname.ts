import { quoteIdentifier } from '../../base/sql.ts'
import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import { textType } from './text.ts'

const ORDER = ['Salutation', 'FirstName', 'MiddleName', 'LastName', 'Suffix']

const listParts = ({ parts }: Field): readonly Field[] =>
  ORDER.flatMap((name) => parts.find((part) => part.name === name) ?? [])

/** "Ms. Ada King": the given parts with a blank between them. */
function joined(field: Field): string {
  const parts = listParts(field).map(
    ({ name }) => `coalesce(${quoteIdentifier(name.toLowerCase())} || ' ', '')`,
  )
  return `rtrim(${parts.join(' || ')})`
}

/**
 * The name of a person, joined from its parts. Unlike the other compound fields it has a column, which the database
 * makes from the parts, because names are searched and sorted all the time.
 */
export const personname: FieldType = textType({
  name: 'personname',
  label: 'Name',
  file: undefined,
  sourceFormat: undefined,
  searchedAs: 'text',
  describedAs: 'string',
  generated: true,
  generatedFrom: listParts,
  generate: (parts) => parts.filter((part) => part !== null).join(' ') || null,
  constraint: (field) => `generated always as (${joined(field)}) stored`,
  facts: (field) => ({ length: field.length!, byteLength: field.length! * 3, extraTypeInfo: 'personname' }),
})
