import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import { LAST_USE, notWritable } from '../behaviour/not-writable.ts'

export const PRODUCT2: ObjectDefinition = {
  name: 'Product2',
  label: 'Product',
  labelPlural: 'Products',
  keyPrefix: '01t',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Product Name', type: 'string', length: 255, required: true, nameField: true },
    { name: 'ProductCode', label: 'Product Code', type: 'string', length: 255 },
    { name: 'Description', label: 'Product Description', type: 'longtextarea', length: 4000 },
    recordTypeId,
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'Family', label: 'Product Family', type: 'picklist', length: 255, values: ['None'] },
    { name: 'ExternalId', label: 'External ID', type: 'string', length: 255 },
    { name: 'DisplayUrl', label: 'Display URL', type: 'url', length: 1000 },
    {
      name: 'QuantityUnitOfMeasure',
      label: 'Quantity Unit Of Measure',
      type: 'picklist',
      length: 255,
      values: ['Each'],
    },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
    ...LAST_USE,
    { name: 'StockKeepingUnit', label: 'Product SKU', type: 'string', length: 180 },
  ],
}
