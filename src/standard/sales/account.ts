import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { LAST_USE } from '../behaviour/last-use.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { INDUSTRY_VALUES } from '../values/industry-values.ts'
import { CLEAN_STATUS_VALUES, LEAD_SOURCE_VALUES, RATING_VALUES } from '../values/short-picklists.ts'

export const ACCOUNT: ObjectDefinition = {
  name: 'Account',
  label: 'Account',
  labelPlural: 'Accounts',
  keyPrefix: '001',
  searchable: 'indexed',
  fields: [
    {
      name: 'MasterRecordId',
      label: 'Master Record ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'MasterRecord',
      ...notWritable,
    },
    {
      name: 'Name',
      label: 'Account Name',
      type: 'string',
      length: 255,
      required: true,
      nameField: true,
      idLookup: false,
      extraTypeInfo: 'switchablepersonname',
    },
    {
      name: 'Type',
      label: 'Account Type',
      type: 'picklist',
      length: 255,
      values: [
        'Prospect',
        'Customer - Direct',
        'Customer - Channel',
        'Channel Partner / Reseller',
        'Installation Partner',
        'Technology Partner',
        'Other',
      ],
    },
    recordTypeId,
    {
      name: 'ParentId',
      label: 'Parent Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Parent',
      children: 'ChildAccounts',
    },
    { name: 'BillingAddress', label: 'Billing Address', type: 'address' },
    { name: 'ShippingAddress', label: 'Shipping Address', type: 'address' },
    { name: 'Phone', label: 'Account Phone', type: 'phone', length: 40 },
    { name: 'Fax', label: 'Account Fax', type: 'phone', length: 40 },
    { name: 'AccountNumber', label: 'Account Number', type: 'string', length: 40 },
    { name: 'Website', label: 'Website', type: 'url', length: 255 },
    {
      name: 'PhotoUrl',
      label: 'Photo URL',
      type: 'url',
      length: 255,
      ...notWritable,
      extraTypeInfo: 'imageurl',
    },
    { name: 'Sic', label: 'SIC Code', type: 'string', length: 20 },
    { name: 'Industry', label: 'Industry', type: 'picklist', length: 255, values: INDUSTRY_VALUES },
    { name: 'AnnualRevenue', label: 'Annual Revenue', type: 'currency', precision: 18, scale: 0 },
    { name: 'NumberOfEmployees', label: 'Employees', type: 'int' },
    {
      name: 'Ownership',
      label: 'Ownership',
      type: 'picklist',
      length: 255,
      values: ['Public', 'Private', 'Subsidiary', 'Other'],
    },
    { name: 'TickerSymbol', label: 'Ticker Symbol', type: 'string', length: 20 },
    { name: 'Description', label: 'Account Description', type: 'longtextarea', length: 32000 },
    { name: 'Rating', label: 'Account Rating', type: 'picklist', length: 255, values: RATING_VALUES },
    { name: 'Site', label: 'Account Site', type: 'string', length: 80 },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    { name: 'IsPriorityRecord', label: 'Important', type: 'boolean', ...notWritable },
    ...LAST_USE,
    { name: 'Jigsaw', label: 'Data.com Key', type: 'string', length: 20 },
    {
      name: 'JigsawCompanyId',
      label: 'Jigsaw Company ID',
      type: 'string',
      length: 20,
      describedRelationship: 'JigsawCompany',
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
    {
      name: 'AccountSource',
      label: 'Account Source',
      type: 'picklist',
      length: 255,
      values: LEAD_SOURCE_VALUES,
    },
    { name: 'DunsNumber', label: 'D-U-N-S Number', type: 'string', length: 9 },
    { name: 'Tradestyle', label: 'Tradestyle', type: 'string', length: 255 },
    { name: 'NaicsCode', label: 'NAICS Code', type: 'string', length: 8 },
    { name: 'NaicsDesc', label: 'NAICS Description', type: 'string', length: 120 },
    { name: 'YearStarted', label: 'Year Started', type: 'string', length: 4 },
    { name: 'SicDesc', label: 'SIC Description', type: 'string', length: 80 },
  ],
}

/** (docs/reference/api/standard-objects.md#hierarchies) */
export const ACCOUNT_BEHAVIOUR: ObjectBehaviour = { hierarchy: { reference: 'ParentId' } }
