import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { notWritable } from './not-writable.ts'

export const PRICEBOOK_ENTRY: ObjectDefinition = {
  name: 'PricebookEntry',
  label: 'Price Book Entry',
  labelPlural: 'Price Book Entries',
  keyPrefix: '01u',
  ownerless: true,
  searchable: false,
  fields: [
    { name: 'Name', label: 'Product Name', type: 'string', length: 255, nameField: true, ...notWritable },
    {
      name: 'Pricebook2Id',
      label: 'Price Book ID',
      type: 'reference',
      to: ['Pricebook2'],
      relationship: 'Pricebook2',
      children: 'PricebookEntries',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'Product2Id',
      label: 'Product ID',
      type: 'reference',
      to: ['Product2'],
      relationship: 'Product2',
      children: 'PricebookEntries',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    { name: 'UnitPrice', label: 'List Price', type: 'currency', precision: 18, scale: 2, required: true },
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'UseStandardPrice', label: 'Use Standard Price', type: 'boolean' },
    { name: 'ProductCode', label: 'Product Code', type: 'string', length: 255, ...notWritable },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
  ],
}
