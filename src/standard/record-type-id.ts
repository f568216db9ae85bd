import type { FieldDefinition } from '../schema/definition.ts'

/** The same on every object that supports record types. */
export const recordTypeId: FieldDefinition = {
  name: 'RecordTypeId',
  label: 'Record Type ID',
  type: 'reference',
  to: ['RecordType'],
  relationship: 'RecordType',
}
