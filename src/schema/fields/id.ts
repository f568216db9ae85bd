import { canonicalRecordId } from '../../base/record-id.ts'
import { type FieldType, WrongKind } from './field-type.ts'

/** A record's own id: set by the platform, so a value from outside never gets this far. */
export const id: FieldType = {
  name: 'id',
  label: 'ID',
  graphql: 'ID',
  describedAs: 'id',
  soapType: 'tns:ID',
  typescript: 'string',
  file: undefined,
  sourceFormat: undefined,
  inColumns: undefined,
  history: { dataType: 'Text' },
  column: () => 'text collate "C"',
  parameter: 'text',
  csvText: (column) => column,
  constraint: () => 'primary key',
  coerce(value) {
    const canonical = typeof value === 'string' ? canonicalRecordId(value) : undefined
    if (canonical === undefined) throw new WrongKind('id')
    return canonical
  },
  literal: 'id',
  formula: { type: 'Text', isId: true },
  operators: ['equality', 'order'],
  sortable: true,
  groupable: true,
  aggregatable: true,
  facts: () => ({ length: 18, byteLength: 18 }),
}
