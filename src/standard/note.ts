import type { ObjectDefinition } from '../schema/definitions/definition.ts'

export const NOTE: ObjectDefinition = {
  name: 'Note',
  label: 'Note',
  labelPlural: 'Notes',
  keyPrefix: '002',
  fields: [
    {
      name: 'ParentId',
      label: 'Parent ID',
      type: 'reference',
      to: ['Account', 'Asset', 'Contact', 'Contract', 'Lead', 'Opportunity', 'Order', 'Product2', 'Quote'],
      toCustom: 'all',
      relationship: 'Parent',
      children: 'Notes',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    { name: 'Title', label: 'Title', type: 'string', length: 80, required: true, nameField: true },
    { name: 'IsPrivate', label: 'Private', type: 'boolean' },
    { name: 'Body', label: 'Body', type: 'longtextarea', length: 32000 },
  ],
}
