import { canonicalRecordId } from '../../base/record-id.ts'
import { type FieldType, WrongKind } from './field-type.ts'

/** Lookup, master-detail and polymorphic alike. Whether the id fits is checked where the schema is known. */
export const reference: FieldType = {
  name: 'reference',
  graphql: 'ID',
  describedAs: 'reference',
  soapType: 'tns:ID',
  column: () => 'text collate "C"',
  parameter: 'text',
  csvText: (column) => column,
  refers: true,
  coerce(value) {
    if (typeof value !== 'string') throw new WrongKind('reference')
    const text = value.trim()
    if (text === '') return null
    return canonicalRecordId(text) ?? text
  },
  literal: 'id',
  formula: { type: 'Text', isId: true },
  operators: ['equality', 'order'],
  sortable: true,
  groupable: true,
  aggregatable: true,
  facts: (field) => ({ length: 18, byteLength: 18, searchPrefilterable: field.masterDetail === undefined }),
}
