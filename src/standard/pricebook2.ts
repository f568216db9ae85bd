import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { LAST_USE } from './last-use.ts'
import { notWritable } from './not-writable.ts'

export const PRICEBOOK2: ObjectDefinition = {
  name: 'Pricebook2',
  label: 'Price Book',
  labelPlural: 'Price Books',
  keyPrefix: '01s',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Price Book Name', type: 'string', length: 255, required: true, nameField: true },
    ...LAST_USE,
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    { name: 'IsStandard', label: 'Is Standard Price Book', type: 'boolean', ...notWritable },
  ],
}
