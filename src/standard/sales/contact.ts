import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { CLEAN_STATUS_VALUES, LEAD_SOURCE_VALUES, SALUTATION_VALUES } from '../values/short-picklists.ts'

export const CONTACT: ObjectDefinition = {
  name: 'Contact',
  label: 'Contact',
  labelPlural: 'Contacts',
  keyPrefix: '003',
  searchable: 'indexed',
  fields: [
    {
      name: 'MasterRecordId',
      label: 'Master Record ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'MasterRecord',
      ...notWritable,
    },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'Contacts',
      onDelete: 'cascade',
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
    { name: 'OtherAddress', label: 'Other Address', type: 'address' },
    { name: 'MailingAddress', label: 'Mailing Address', type: 'address' },
    { name: 'Phone', label: 'Business Phone', type: 'phone', length: 40 },
    { name: 'Fax', label: 'Business Fax', type: 'phone', length: 40 },
    { name: 'MobilePhone', label: 'Mobile Phone', type: 'phone', length: 40 },
    { name: 'HomePhone', label: 'Home Phone', type: 'phone', length: 40 },
    { name: 'OtherPhone', label: 'Other Phone', type: 'phone', length: 40 },
    { name: 'AssistantPhone', label: 'Asst. Phone', type: 'phone', length: 40 },
    {
      name: 'ReportsToId',
      label: 'Reports To ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'ReportsTo',
    },
    { name: 'Email', label: 'Email', type: 'email', length: 80, idLookup: true },
    { name: 'Title', label: 'Title', type: 'string', length: 128 },
    { name: 'Department', label: 'Department', type: 'string', length: 80 },
    { name: 'AssistantName', label: "Assistant's Name", type: 'string', length: 40 },
    { name: 'LeadSource', label: 'Lead Source', type: 'picklist', length: 255, values: LEAD_SOURCE_VALUES },
    { name: 'Birthdate', label: 'Birthdate', type: 'date' },
    { name: 'Description', label: 'Contact Description', type: 'longtextarea', length: 32000 },
    { name: 'HasOptedOutOfEmail', label: 'Email Opt Out', type: 'boolean' },
    { name: 'HasOptedOutOfFax', label: 'Fax Opt Out', type: 'boolean' },
    { name: 'DoNotCall', label: 'Do Not Call', type: 'boolean' },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    {
      name: 'LastCURequestDate',
      label: 'Last Stay-in-Touch Request Date',
      type: 'datetime',
      ...notWritable,
    },
    { name: 'LastCUUpdateDate', label: 'Last Stay-in-Touch Save Date', type: 'datetime', ...notWritable },
    { name: 'IsPriorityRecord', label: 'Important', type: 'boolean', ...notWritable },
    ...LAST_USE,
    { name: 'EmailBouncedReason', label: 'Email Bounced Reason', type: 'string', length: 255 },
    { name: 'EmailBouncedDate', label: 'Email Bounced Date', type: 'datetime' },
    {
      name: 'IsEmailBounced',
      label: 'Is Email Bounced',
      type: 'boolean',
      ...derivedFrom('EmailBouncedDate'),
    },
    {
      name: 'PhotoUrl',
      label: 'Photo URL',
      type: 'url',
      length: 255,
      ...notWritable,
      extraTypeInfo: 'imageurl',
    },
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
  ],
}

/** (docs/reference/api/standard-objects.md#contact) */
export const CONTACT_BEHAVIOUR: ObjectBehaviour = {
  hierarchy: { reference: 'ReportsToId' },
  derivation: {
    from: ['Email', 'EmailBouncedDate'],
    derive(record) {
      // Another address has not bounced.
      if (!record.isNew && record.isChanged('Email') && !record.isGiven('EmailBouncedDate')) {
        record.set('EmailBouncedDate', null)
        record.set('EmailBouncedReason', null)
      }
      record.set('IsEmailBounced', record.get('EmailBouncedDate') !== null)
    },
  },
}
