import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { CONTACT_ROLE_VALUES } from './values/contact-role-values.ts'

export const OPPORTUNITY_CONTACT_ROLE: ObjectDefinition = {
  name: 'OpportunityContactRole',
  label: 'Opportunity Contact Role',
  labelPlural: 'Opportunity Contact Role',
  keyPrefix: '00K',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'OpportunityId',
      label: 'Opportunity ID',
      type: 'reference',
      to: ['Opportunity'],
      relationship: 'Opportunity',
      children: 'OpportunityContactRoles',
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
      children: 'OpportunityContactRoles',
      onDelete: 'cascade',
      required: true,
    },
    { name: 'Role', label: 'Role', type: 'picklist', length: 255, values: CONTACT_ROLE_VALUES },
    { name: 'IsPrimary', label: 'Primary', type: 'boolean' },
  ],
}
