import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'

export const GROUP: ObjectDefinition = {
  name: 'Group',
  label: 'Group',
  labelPlural: 'Groups',
  keyPrefix: '00G',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 40, required: true, nameField: true },
    { name: 'DeveloperName', label: 'Developer Name', type: 'string', length: 80 },
    {
      name: 'RelatedId',
      label: 'Related ID',
      type: 'reference',
      to: ['User', 'UserRole'],
      relationship: 'Related',
      ...notWritable,
    },
    {
      name: 'Type',
      label: 'Type',
      type: 'picklist',
      length: 40,
      required: true,
      values: [
        { value: 'Regular', default: true },
        'Role',
        { value: 'RoleAndSubordinates', label: 'Role and Subordinates' },
        { value: 'RoleAndSubordinatesInternal', label: 'Role and Internal Subordinates' },
        'Manager',
        { value: 'ManagerAndSubordinatesInternal', label: 'Manager and Internal Subordinates' },
        'Organization',
        'Queue',
      ],
      restricted: true,
      updateable: false,
    },
    // There is no routing of work: always empty.
    {
      name: 'QueueRoutingConfigId',
      label: 'Queue Routing Config',
      type: 'string',
      length: 18,
      ...notWritable,
    },
    { name: 'Email', label: 'Email', type: 'email', length: 255 },
    { name: 'DoesSendEmailToMembers', label: 'Send Email to Members', type: 'boolean' },
    { name: 'DoesIncludeBosses', label: 'Include Bosses', type: 'boolean' },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 4000 },
  ],
}
