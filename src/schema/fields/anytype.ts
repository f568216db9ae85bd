import { type FieldType, WrongKind } from './field-type.ts'

/** A value of another field, stored as JSON text. Only the platform writes it. (docs/reference/api/history.md) */
export const anytype: FieldType = {
  name: 'anytype',
  graphql: 'String',
  describedAs: 'anyType',
  soapType: 'xsd:anyType',
  column: () => 'text collate "C"',
  parameter: 'text',
  coerce() {
    throw new WrongKind('anyType')
  },
  read: (value) => JSON.parse(value as string),
  literal: 'string',
  operators: [],
  sortable: false,
  groupable: false,
  aggregatable: false,
}
