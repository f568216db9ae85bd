import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { notWritable } from './not-writable.ts'

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
