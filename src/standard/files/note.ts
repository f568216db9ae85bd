import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { NOTE_LOCATIONS } from '../values/targets.ts'

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
      to: NOTE_LOCATIONS,
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
