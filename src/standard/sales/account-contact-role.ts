import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { CONTACT_ROLE_VALUES } from '../values/short-picklists.ts'

export const ACCOUNT_CONTACT_ROLE: ObjectDefinition = {
  name: 'AccountContactRole',
  label: 'Account Contact Role',
  labelPlural: 'Account Contact Role',
  keyPrefix: '02Z',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'AccountContactRoles',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'ContactId',
      label: 'Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'Contact',
      children: 'AccountContactRoles',
      onDelete: 'cascade',
      required: true,
    },
    { name: 'Role', label: 'Role', type: 'picklist', length: 255, values: CONTACT_ROLE_VALUES },
    { name: 'IsPrimary', label: 'Primary', type: 'boolean' },
  ],
}
