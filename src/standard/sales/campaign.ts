import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { FIRST_STATUSES } from './campaign-member-status.ts'

const COSTS: readonly FieldDefinition[] = [
  {
    name: 'ExpectedRevenue',
    label: 'Expected Revenue in Campaign',
    type: 'currency',
    precision: 18,
    scale: 0,
  },
  { name: 'BudgetedCost', label: 'Budgeted Cost in Campaign', type: 'currency', precision: 18, scale: 0 },
  { name: 'ActualCost', label: 'Actual Cost in Campaign', type: 'currency', precision: 18, scale: 0 },
]

const NUMBER_SENT: FieldDefinition = {
  name: 'NumberSent',
  label: 'Num Sent in Campaign',
  type: 'double',
  precision: 18,
  scale: 0,
}

/** Of its members and opportunities. */
const COUNTS: readonly FieldDefinition[] = [
  { name: 'NumberOfLeads', label: 'Leads in Campaign', type: 'int', default: 0, ...notWritable },
  {
    name: 'NumberOfConvertedLeads',
    label: 'Converted Leads in Campaign',
    type: 'int',
    default: 0,
    ...notWritable,
  },
  { name: 'NumberOfContacts', label: 'Contacts in Campaign', type: 'int', default: 0, ...notWritable },
  { name: 'NumberOfResponses', label: 'Responses in Campaign', type: 'int', default: 0, ...notWritable },
  {
    name: 'NumberOfOpportunities',
    label: 'Opportunities in Campaign',
    type: 'int',
    default: 0,
    ...notWritable,
  },
  {
    name: 'NumberOfWonOpportunities',
    label: 'Won Opportunities in Campaign',
    type: 'int',
    default: 0,
    ...notWritable,
  },
  {
    name: 'AmountAllOpportunities',
    label: 'Value Opportunities in Campaign',
    type: 'currency',
    precision: 18,
    scale: 0,
    default: 0,
    ...derivedFrom('Opportunity.Amount'),
  },
  {
    name: 'AmountWonOpportunities',
    label: 'Value Won Opportunities in Campaign',
    type: 'currency',
    precision: 18,
    scale: 0,
    default: 0,
    ...derivedFrom('Opportunity.Amount'),
  },
]

/** The same of the campaign and all that are below it. */
const inHierarchy = ({ name, label, type, precision, scale }: FieldDefinition): FieldDefinition => ({
  name: `Hierarchy${name}`,
  label: label.replace('in Campaign', 'in Hierarchy'),
  type,
  ...(precision !== undefined && { precision, scale: scale! }),
  sumBelow: { object: 'Campaign', reference: 'ParentId', field: name },
  ...notWritable,
})

export const CAMPAIGN: ObjectDefinition = {
  name: 'Campaign',
  label: 'Campaign',
  labelPlural: 'Campaigns',
  keyPrefix: '701',
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, required: true, nameField: true },
    recordTypeId,
    {
      name: 'ParentId',
      label: 'Parent Campaign ID',
      type: 'reference',
      to: ['Campaign'],
      relationship: 'Parent',
      children: 'ChildCampaigns',
    },
    {
      name: 'Type',
      label: 'Type',
      type: 'picklist',
      length: 255,
      values: [
        'Conference',
        'Webinar',
        'Trade Show',
        'Public Relations',
        'Partners',
        'Referral Program',
        'Advertisement',
        'Banner Ads',
        'Direct Mail',
        'Email',
        'Telemarketing',
        'Other',
      ],
    },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      values: [{ value: 'Planned', default: true }, 'In Progress', 'Completed', 'Aborted'],
    },
    { name: 'StartDate', label: 'Start Date', type: 'date' },
    { name: 'EndDate', label: 'End Date', type: 'date' },
    ...COSTS,
    { name: 'ExpectedResponse', label: 'Expected Response (%)', type: 'percent', precision: 10, scale: 2 },
    NUMBER_SENT,
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    ...COUNTS,
    ...[...COUNTS, ...COSTS, NUMBER_SENT].map(inHierarchy),
    {
      name: 'CampaignMemberRecordTypeId',
      label: 'Record Type ID',
      type: 'reference',
      to: ['RecordType'],
      relationship: 'CampaignMemberRecordType',
      recordTypesOf: 'CampaignMember',
    },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    ...LAST_USE,
  ],
}

/** Five records from the top down. */
const MAX_LEVELS = 5

/** (docs/reference/api/standard-objects.md#campaign) */
export const CAMPAIGN_BEHAVIOUR: ObjectBehaviour = {
  hierarchy: { reference: 'ParentId', maxLevels: MAX_LEVELS },
  afterInsert: async ({ insert }, campaigns) => {
    await insert(
      'CampaignMemberStatus',
      campaigns.flatMap(({ id }) => FIRST_STATUSES.map((status) => ({ CampaignId: id, ...status }))),
    )
  },
}
