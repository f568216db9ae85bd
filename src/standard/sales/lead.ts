import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { INDUSTRY_VALUES } from '../values/industry-values.ts'
import {
  CLEAN_STATUS_VALUES,
  LEAD_SOURCE_VALUES,
  RATING_VALUES,
  SALUTATION_VALUES,
} from '../values/short-picklists.ts'

export const LEAD: ObjectDefinition = {
  name: 'Lead',
  label: 'Lead',
  labelPlural: 'Leads',
  keyPrefix: '00Q',
  queueable: true,
  searchable: 'indexed',
  fields: [
    {
      name: 'MasterRecordId',
      label: 'Master Record ID',
      type: 'reference',
      to: ['Lead'],
      relationship: 'MasterRecord',
      ...notWritable,
    },
    {
      name: 'LastName',
      label: 'Last Name',
      type: 'string',
      length: 80,
      required: true,
      compound: 'Name',
      extraTypeInfo: 'personname',
    },
    {
      name: 'FirstName',
      label: 'First Name',
      type: 'string',
      length: 40,
      compound: 'Name',
      extraTypeInfo: 'personname',
    },
    {
      name: 'Salutation',
      label: 'Salutation',
      type: 'picklist',
      length: 40,
      values: SALUTATION_VALUES,
      compound: 'Name',
      extraTypeInfo: 'personname',
    },
    {
      name: 'Name',
      label: 'Full Name',
      type: 'personname',
      length: 121,
      nameField: true,
      idLookup: false,
    },
    recordTypeId,
    { name: 'Title', label: 'Title', type: 'string', length: 128 },
    { name: 'Company', label: 'Company', type: 'string', length: 255, required: true },
    { name: 'Address', label: 'Address', type: 'address' },
    { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
    { name: 'MobilePhone', label: 'Mobile Phone', type: 'phone', length: 40 },
    { name: 'Fax', label: 'Fax', type: 'phone', length: 40 },
    { name: 'Email', label: 'Email', type: 'email', length: 80, idLookup: true },
    { name: 'Website', label: 'Website', type: 'url', length: 255 },
    {
      name: 'PhotoUrl',
      label: 'Photo URL',
      type: 'url',
      length: 255,
      ...notWritable,
      extraTypeInfo: 'imageurl',
    },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    { name: 'LeadSource', label: 'Lead Source', type: 'picklist', length: 255, values: LEAD_SOURCE_VALUES },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      required: true,
      values: [
        { value: 'Open - Not Contacted', default: true },
        'Working - Contacted',
        { value: 'Closed - Converted', converted: true },
        'Closed - Not Converted',
      ],
    },
    { name: 'Industry', label: 'Industry', type: 'picklist', length: 255, values: INDUSTRY_VALUES },
    { name: 'Rating', label: 'Rating', type: 'picklist', length: 255, values: RATING_VALUES },
    { name: 'AnnualRevenue', label: 'Annual Revenue', type: 'currency', precision: 18, scale: 0 },
    { name: 'NumberOfEmployees', label: 'Employees', type: 'int' },
    { name: 'HasOptedOutOfEmail', label: 'Email Opt Out', type: 'boolean' },
    { name: 'IsConverted', label: 'Converted', type: 'boolean', ...notWritable },
    { name: 'ConvertedDate', label: 'Converted Date', type: 'date', ...notWritable },
    {
      name: 'ConvertedAccountId',
      label: 'Converted Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'ConvertedAccount',
      ...notWritable,
    },
    {
      name: 'ConvertedContactId',
      label: 'Converted Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'ConvertedContact',
      ...notWritable,
    },
    {
      name: 'ConvertedOpportunityId',
      label: 'Converted Opportunity ID',
      type: 'reference',
      to: ['Opportunity'],
      relationship: 'ConvertedOpportunity',
      ...notWritable,
    },
    { name: 'IsUnreadByOwner', label: 'Unread By Owner', type: 'boolean', default: true },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    { name: 'DoNotCall', label: 'Do Not Call', type: 'boolean' },
    { name: 'HasOptedOutOfFax', label: 'Fax Opt Out', type: 'boolean' },
    ...LAST_USE,
    { name: 'Jigsaw', label: 'Data.com Key', type: 'string', length: 20 },
    {
      name: 'JigsawContactId',
      label: 'Jigsaw Contact ID',
      type: 'string',
      length: 20,
      describedRelationship: 'JigsawContact',
      ...notWritable,
    },
    {
      name: 'CleanStatus',
      label: 'Clean Status',
      type: 'picklist',
      length: 40,
      values: CLEAN_STATUS_VALUES,
      restricted: true,
    },
    { name: 'CompanyDunsNumber', label: 'Company D-U-N-S Number', type: 'string', length: 9 },
    {
      name: 'EmailBouncedReason',
      label: 'Email Bounced Reason',
      type: 'string',
      length: 255,
      createable: false,
    },
    { name: 'EmailBouncedDate', label: 'Email Bounced Date', type: 'datetime', createable: false },
  ],
}

/** (docs/reference/api/standard-objects.md#lead) */
export const LEAD_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    // Not all fields: a write of others is a single statement.
    from: ['OwnerId', 'Status'],
    reads: ['IsUnreadByOwner'],
    derive(record) {
      if (record.facts.isRecomputed || (!record.isNew && record.isGiven('IsUnreadByOwner'))) return
      if (record.get('OwnerId') === record.facts.userId) record.set('IsUnreadByOwner', false)
      else if (!record.isNew && record.isChanged('OwnerId')) record.set('IsUnreadByOwner', true)
    },
  },
}
