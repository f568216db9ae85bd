import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour, Write } from '../behaviour/behaviour.ts'
import { CONTACT_ROLE_VALUES } from '../values/short-picklists.ts'
import { contactRoleSql } from './contact-roles.sql.ts'

export const OPPORTUNITY_CONTACT_ROLE: ObjectDefinition = {
  name: 'OpportunityContactRole',
  undeletable: false,
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

/** Leaves each opportunity one primary contact, and gives it that contact. */
async function setPrimary({ db, org, audit }: Write, ids: readonly string[]): Promise<void> {
  await db.query(contactRoleSql.keepOnePrimary(org, ids, audit))
  await db.query(contactRoleSql.setContacts(org, ids, audit))
}

/** (docs/reference/api/standard-objects.md#opportunity) */
export const OPPORTUNITY_CONTACT_ROLE_BEHAVIOUR: ObjectBehaviour = {
  beforeInsert: async ({ db, org, object }, records) => {
    const opportunity = object.field('OpportunityId')!
    const ids = records.map(({ values }) => values.get(opportunity) as string)
    await db.query(contactRoleSql.lockOpportunities(org, ids, []))
  },
  afterInsert: (write, records) =>
    setPrimary(
      write,
      records.map(({ id }) => id),
    ),
  beforeChange: async ({ db, org }, records) => {
    const ids = records.map(({ id }) => id)
    await db.query(contactRoleSql.lockOpportunities(org, [], ids))
  },
  afterChange: setPrimary,
}
