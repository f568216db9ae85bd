import type { ObjectDefinition } from '../../schema/definitions/definition.ts'

/** Statuses of a new campaign. */
export const FIRST_STATUSES = [
  { Label: 'Sent', SortOrder: 1, IsDefault: true, HasResponded: false },
  { Label: 'Responded', SortOrder: 2, IsDefault: false, HasResponded: true },
]

export const CAMPAIGN_MEMBER_STATUS: ObjectDefinition = {
  name: 'CampaignMemberStatus',
  label: 'Campaign Member Status',
  labelPlural: 'Campaign Member Statuses',
  keyPrefix: '01Y',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'CampaignId',
      label: 'Campaign ID',
      type: 'reference',
      to: ['Campaign'],
      relationship: 'Campaign',
      children: 'CampaignMemberStatuses',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    { name: 'Label', label: 'Label', type: 'string', length: 255, required: true, nameField: true },
    { name: 'SortOrder', label: 'Sort Order', type: 'int' },
    { name: 'IsDefault', label: 'Default', type: 'boolean' },
    { name: 'HasResponded', label: 'Responded', type: 'boolean' },
  ],
}
