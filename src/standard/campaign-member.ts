import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import type { ColumnValue } from '../storage/database/db.ts'
import { integrityError, type ObjectBehaviour } from './behaviour.ts'
import { FIRST_STATUSES } from './campaign-member-status.ts'
import type { DerivedRecord } from './derived-record.ts'
import { notWritable } from './not-writable.ts'
import { uniqueTogether } from './unique-together.ts'

export const CAMPAIGN_MEMBER: ObjectDefinition = {
  name: 'CampaignMember',
  label: 'Campaign Member',
  labelPlural: 'Campaign Members',
  keyPrefix: '00v',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'CampaignId',
      label: 'Campaign ID',
      type: 'reference',
      to: ['Campaign'],
      relationship: 'Campaign',
      children: 'CampaignMembers',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'LeadId',
      label: 'Lead ID',
      type: 'reference',
      to: ['Lead'],
      relationship: 'Lead',
      children: 'CampaignMembers',
      onDelete: 'cascade',
      updateable: false,
    },
    {
      name: 'ContactId',
      label: 'Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'Contact',
      children: 'CampaignMembers',
      onDelete: 'cascade',
      updateable: false,
    },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      values: [{ value: 'Sent', default: true }, 'Responded'],
    },
    { name: 'HasResponded', label: 'Responded', type: 'boolean', ...notWritable },
    { name: 'FirstRespondedDate', label: 'First Responded Date', type: 'date', ...notWritable },
  ],
}

const alreadyMember = () => 'Already a campaign member.'
const refuseLeads = uniqueTogether(['CampaignId', 'LeadId'], alreadyMember)
const refuseContacts = uniqueTogether(['CampaignId', 'ContactId'], alreadyMember)

/** The status of the campaign that a label names; the campaign's default where it names none. */
function findStatus(record: DerivedRecord): Readonly<Record<string, ColumnValue>> | undefined {
  const own = record.siblings('CampaignId').map(({ values }) => values)
  // A campaign of an earlier version has none.
  const statuses: readonly Readonly<Record<string, ColumnValue>>[] = own.length > 0 ? own : FIRST_STATUSES
  const label = String(record.get('Status') ?? '').toLowerCase()
  return (
    statuses.find(({ Label }) => String(Label).toLowerCase() === label) ??
    statuses.find(({ IsDefault }) => IsDefault === true)
  )
}

/** (docs/reference/api/standard-objects.md#campaign) */
export const CAMPAIGN_MEMBER_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Status', 'LeadId', 'ContactId'],
    reads: ['CampaignId', 'HasResponded', 'FirstRespondedDate'],
    siblings: {
      of: 'CampaignId',
      object: 'CampaignMemberStatus',
      reference: 'CampaignId',
      fields: ['Label', 'IsDefault', 'HasResponded'],
    },
    derive(record) {
      if (record.isNew && (record.get('LeadId') === null) === (record.get('ContactId') === null))
        throw integrityError('A campaign member is a lead or a contact', 'LeadId')
      const status = findStatus(record)
      if (status !== undefined) record.set('Status', status.Label ?? null)
      const hasResponded = status?.HasResponded === true
      record.set('HasResponded', hasResponded)
      const first = record.was('FirstRespondedDate')
      record.set('FirstRespondedDate', first ?? (hasResponded ? record.facts.now.slice(0, 10) : null))
    },
  },
  refuseInsert: async (write, records) =>
    new Map([...(await refuseLeads(write, records)), ...(await refuseContacts(write, records))]),
  effects: [
    {
      reference: 'CampaignId',
      parent: 'Campaign',
      from: ['Status'],
      sets: {
        NumberOfLeads: { function: 'count', of: 'LeadId' },
        NumberOfContacts: { function: 'count', of: 'ContactId' },
        NumberOfResponses: { function: 'count', where: 'HasResponded' },
      },
      kind: 'quiet',
    },
  ],
}
