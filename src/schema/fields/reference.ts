import { canonicalRecordId } from '../../base/record-id.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import type { TypeInFiles } from './type-in-files.ts'

const file: TypeInFiles = {
  properties: [
    'trackHistory',
    'required',
    'to',
    'relationship',
    'children',
    'onDelete',
    'masterDetail',
    'reparentable',
  ],
  default: 'text',
}

/** Lookup, master-detail and polymorphic alike. Whether the id fits is checked where the schema is known. */
export const reference: FieldType = {
  name: 'reference',
  label: ({ definition }, referenceTo) =>
    `${definition.masterDetail === undefined ? 'Lookup' : 'Master-Detail'}(${referenceTo.join(',')})`,
  graphql: 'ID',
  describedAs: 'reference',
  soapType: 'tns:ID',
  typescript: 'string',
  file,
  sourceFormat: { name: 'Lookup', reads: ['reference'] },
  inColumns: undefined,
  history: { dataType: 'EntityId' },
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
