import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'

export const RECORD_TYPE: ObjectDefinition = {
  name: 'RecordType',
  label: 'Record Type',
  labelPlural: 'Record Types',
  keyPrefix: '012',
  ownerless: true,
  deletable: false,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, required: true, nameField: true },
    { name: 'DeveloperName', label: 'Record Type Name', type: 'string', length: 80, required: true },
    { name: 'NamespacePrefix', label: 'Namespace Prefix', type: 'string', length: 15, ...notWritable },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    {
      name: 'SobjectType',
      label: 'SObject Type Name',
      type: 'picklist',
      length: 80,
      required: true,
      // Not restricted: an org's own objects are values too.
      values: [
        'Account',
        'Asset',
        'Campaign',
        'Case',
        'Contact',
        'Contract',
        'Event',
        'Lead',
        'Opportunity',
        'Order',
        'Product2',
        'Quote',
        'Task',
      ],
      updateable: false,
    },
    { name: 'IsActive', label: 'Active', type: 'boolean', default: true, createable: false },
  ],
}
