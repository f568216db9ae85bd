import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import { ofContact, ofLead, showing } from '../behaviour/copied-fields.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'
import { derivedFrom } from '../behaviour/not-writable.ts'
import { uniqueTogether } from '../behaviour/unique-together.ts'
import { LEAD_SOURCE_VALUES } from '../values/short-picklists.ts'
import { FIRST_STATUSES } from './campaign-member-status.ts'

const ofPerson = (field: string) => showing(ofContact(field), ofLead(field))

/** Fields that a member shows of its contact or lead. */
const PERSON_FIELDS: readonly FieldDefinition[] = [
  { name: 'Salutation', label: 'Salutation', type: 'string', length: 40, ...ofPerson('Salutation') },
  { name: 'Name', label: 'Name', type: 'string', length: 203, ...ofPerson('Name') },
  { name: 'FirstName', label: 'First Name', type: 'string', length: 40, ...ofPerson('FirstName') },
  { name: 'LastName', label: 'Last Name', type: 'string', length: 80, ...ofPerson('LastName') },
  { name: 'Title', label: 'Title', type: 'string', length: 128, ...ofPerson('Title') },
  {
    name: 'Street',
    label: 'Street',
    type: 'textarea',
    length: 255,
    ...showing(ofContact('MailingStreet'), ofLead('Street')),
  },
  {
    name: 'City',
    label: 'City',
    type: 'string',
    length: 40,
    ...showing(ofContact('MailingCity'), ofLead('City')),
  },
  {
    name: 'State',
    label: 'State/Province',
    type: 'string',
    length: 80,
    ...showing(ofContact('MailingState'), ofLead('State')),
  },
  {
    name: 'PostalCode',
    label: 'Zip/Postal Code',
    type: 'string',
    length: 20,
    ...showing(ofContact('MailingPostalCode'), ofLead('PostalCode')),
  },
  {
    name: 'Country',
    label: 'Country',
    type: 'string',
    length: 80,
    ...showing(ofContact('MailingCountry'), ofLead('Country')),
  },
  { name: 'Email', label: 'Email', type: 'email', length: 80, ...ofPerson('Email') },
  { name: 'Phone', label: 'Phone', type: 'phone', length: 40, ...ofPerson('Phone') },
  { name: 'Fax', label: 'Fax', type: 'phone', length: 40, ...ofPerson('Fax') },
  { name: 'MobilePhone', label: 'Mobile', type: 'phone', length: 40, ...ofPerson('MobilePhone') },
  {
    name: 'Description',
    label: 'Description',
    type: 'longtextarea',
    length: 32000,
    ...ofPerson('Description'),
  },
  { name: 'DoNotCall', label: 'Do Not Call', type: 'boolean', ...ofPerson('DoNotCall') },
  {
    name: 'HasOptedOutOfEmail',
    label: 'Email Opt Out',
    type: 'boolean',
    ...ofPerson('HasOptedOutOfEmail'),
  },
  { name: 'HasOptedOutOfFax', label: 'Fax Opt Out', type: 'boolean', ...ofPerson('HasOptedOutOfFax') },
  {
    name: 'LeadSource',
    label: 'Lead Source',
    type: 'picklist',
    length: 255,
    values: LEAD_SOURCE_VALUES,
    ...ofPerson('LeadSource'),
  },
  {
    name: 'CompanyOrAccount',
    label: 'Company (Account)',
    type: 'string',
    length: 255,
    ...showing(
      {
        references: [
          { name: 'ContactId', to: 'Contact' },
          { name: 'AccountId', to: 'Account' },
        ],
        field: 'Name',
      },
      ofLead('Company'),
    ),
  },
  {
    name: 'LeadOrContactOwnerId',
    label: 'Lead/Contact Owner ID',
    type: 'reference',
    to: ['Group', 'User'],
    relationship: 'LeadOrContactOwner',
    ...ofPerson('OwnerId'),
  },
]

export const CAMPAIGN_MEMBER: ObjectDefinition = {
  name: 'CampaignMember',
  undeletable: false,
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
    { name: 'HasResponded', label: 'Responded', type: 'boolean', ...derivedFrom('Status') },
    { name: 'FirstRespondedDate', label: 'First Responded Date', type: 'date', ...derivedFrom('Status') },
    ...PERSON_FIELDS,
    {
      name: 'Type',
      label: 'Type',
      type: 'picklist',
      length: 40,
      values: ['Lead', 'Contact'],
      ...derivedFrom('LeadId', 'ContactId'),
    },
    {
      name: 'LeadOrContactId',
      label: 'Lead/Contact ID',
      type: 'reference',
      to: ['Contact', 'Lead'],
      relationship: 'LeadOrContact',
      ...derivedFrom('LeadId', 'ContactId'),
    },
  ],
}

const alreadyMember = () => 'Already a campaign member.'
const refuseLeads = uniqueTogether(['CampaignId', 'LeadId'], alreadyMember)
const refuseContacts = uniqueTogether(['CampaignId', 'ContactId'], alreadyMember)

/** The status of the campaign that a label names; the campaign's default where a write names none. */
function findStatus(record: DerivedRecord): Readonly<Record<string, ColumnValue>> | undefined {
  const own = record.siblings('CampaignId').map(({ values }) => values)
  // A campaign of an earlier version has none.
  const statuses: readonly Readonly<Record<string, ColumnValue>>[] = own.length > 0 ? own : FIRST_STATUSES
  const label = String(record.get('Status') ?? '').toLowerCase()
  return (
    statuses.find(({ Label }) => String(Label).toLowerCase() === label) ??
    // Members keep a status that was deleted.
    (record.facts.isRecomputed && label !== ''
      ? undefined
      : statuses.find(({ IsDefault }) => IsDefault === true))
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
      const contact = record.get('ContactId')
      record.set('Type', contact === null ? 'Lead' : 'Contact')
      record.set('LeadOrContactId', contact ?? record.get('LeadId'))
      const status = findStatus(record)
      if (status === undefined) return
      record.set('Status', status.Label ?? null)
      const hasResponded = status.HasResponded === true
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
