import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'

/** Written in definitions only: the records follow them. */
export const LIST_VIEW: ObjectDefinition = {
  name: 'ListView',
  label: 'List View',
  labelPlural: 'List Views',
  keyPrefix: '00B',
  ownerless: true,
  createable: false,
  updateable: false,
  deletable: false,
  searchable: false,
  fields: [
    {
      name: 'Name',
      label: 'View Name',
      type: 'string',
      length: 80,
      required: true,
      nameField: true,
      ...notWritable,
    },
    { name: 'DeveloperName', label: 'API Name', type: 'string', length: 80, required: true, ...notWritable },
    { name: 'NamespacePrefix', label: 'Namespace Prefix', type: 'string', length: 15, ...notWritable },
    // Not listed: every object has views, an org's own ones too.
    {
      name: 'SobjectType',
      label: 'SObject Type Name',
      type: 'picklist',
      length: 80,
      required: true,
      values: [],
      ...notWritable,
    },
    { name: 'IsSoqlCompatible', label: 'Is SOQL Compatible', type: 'boolean', ...notWritable },
  ],
}
