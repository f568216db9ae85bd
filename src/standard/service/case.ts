import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour, Write } from '../behaviour/behaviour.ts'
import { ofContact, showing } from '../behaviour/copied-fields.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { FIRST_BUSINESS_HOURS_ID } from './business-hours.sql.ts'
import { caseCommentSql } from './case-comments.sql.ts'

export const CASE: ObjectDefinition = {
  name: 'Case',
  label: 'Case',
  labelPlural: 'Cases',
  keyPrefix: '500',
  queueable: true,
  searchable: 'indexed',
  fields: [
    {
      name: 'MasterRecordId',
      label: 'Master Record ID',
      type: 'reference',
      to: ['Case'],
      relationship: 'MasterRecord',
      ...notWritable,
    },
    { name: 'CaseNumber', label: 'Case Number', type: 'autonumber', format: '{00000000}', nameField: true },
    {
      name: 'ContactId',
      label: 'Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'Contact',
      children: 'Cases',
      onDelete: 'restrict',
    },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'Cases',
      onDelete: 'restrict',
    },
    {
      name: 'AssetId',
      label: 'Asset ID',
      type: 'reference',
      to: ['Asset'],
      relationship: 'Asset',
      children: 'Cases',
    },
    {
      name: 'ParentId',
      label: 'Parent Case ID',
      type: 'reference',
      to: ['Case'],
      relationship: 'Parent',
      children: 'Cases',
    },
    { name: 'SuppliedName', label: 'Name', type: 'string', length: 80 },
    { name: 'SuppliedEmail', label: 'Email Address', type: 'email', length: 80 },
    { name: 'SuppliedPhone', label: 'Phone', type: 'string', length: 40 },
    { name: 'SuppliedCompany', label: 'Company', type: 'string', length: 80 },
    {
      name: 'Type',
      label: 'Case Type',
      type: 'picklist',
      length: 255,
      values: ['Mechanical', 'Electrical', 'Electronic', 'Structural', 'Other'],
    },
    recordTypeId,
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      values: [{ value: 'New', default: true }, 'Working', 'Escalated', { value: 'Closed', closed: true }],
    },
    {
      name: 'Reason',
      label: 'Case Reason',
      type: 'picklist',
      length: 255,
      values: [
        'Installation',
        'Equipment Complexity',
        'Performance',
        'Breakdown',
        'Equipment Design',
        'Feedback',
        'Other',
      ],
    },
    {
      name: 'Origin',
      label: 'Case Origin',
      type: 'picklist',
      length: 255,
      values: ['Phone', 'Email', 'Web'],
    },
    { name: 'Subject', label: 'Subject', type: 'string', length: 255 },
    {
      name: 'Priority',
      label: 'Priority',
      type: 'picklist',
      length: 255,
      values: ['High', { value: 'Medium', default: true }, 'Low'],
    },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    { name: 'IsClosed', label: 'Closed', type: 'boolean', ...derivedFrom('Status') },
    { name: 'ClosedDate', label: 'Closed Date', type: 'datetime', ...derivedFrom('Status') },
    { name: 'IsClosedOnCreate', label: 'Closed When Created', type: 'boolean', ...derivedFrom('Status') },
    { name: 'IsEscalated', label: 'Escalated', type: 'boolean' },
    {
      name: 'ContactPhone',
      label: 'Contact Phone',
      type: 'phone',
      length: 40,
      ...showing(ofContact('Phone')),
    },
    {
      name: 'ContactMobile',
      label: 'Contact Mobile',
      type: 'phone',
      length: 40,
      ...showing(ofContact('MobilePhone')),
    },
    {
      name: 'ContactEmail',
      label: 'Contact Email',
      type: 'email',
      length: 80,
      ...showing(ofContact('Email')),
    },
    { name: 'ContactFax', label: 'Contact Fax', type: 'phone', length: 40, ...showing(ofContact('Fax')) },
    { name: 'Comments', label: 'Internal Comments', type: 'longtextarea', length: 4000 },
    {
      name: 'BusinessHoursId',
      label: 'Business Hours ID',
      type: 'reference',
      to: ['BusinessHours'],
      relationship: 'BusinessHours',
      required: true,
      onDelete: 'restrict',
      default: FIRST_BUSINESS_HOURS_ID,
      orgDefault: 'businessHours',
    },
    { name: 'IsVisibleInSelfService', label: 'Visible in Self-Service Portal', type: 'boolean' },
    { name: 'HasSelfServiceComments', label: 'Self-Service Commented', type: 'boolean', ...notWritable },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    ...LAST_USE,
  ],
}

/** Makes comments of what was written to the field for them, which is always read as empty. */
async function addComments({ db, org, insert }: Write, ids: readonly string[]): Promise<void> {
  const given = await db.query<{ id: string; text: string }>(caseCommentSql.take(org, ids))
  await insert(
    'CaseComment',
    given.map(({ id, text }) => ({ ParentId: id, CommentBody: text })),
  )
}

/** (docs/reference/api/standard-objects.md#case) */
export const CASE_BEHAVIOUR: ObjectBehaviour = {
  hooksFor: ['Comments'],
  afterInsert: (write, records) =>
    addComments(
      write,
      records.map(({ id }) => id),
    ),
  afterChange: addComments,
  hierarchy: { reference: 'ParentId' },
  derivation: {
    from: ['Status', 'ContactId'],
    reads: ['IsClosed', 'ClosedDate', 'AccountId'],
    related: { ContactId: ['AccountId'] },
    derive(record) {
      const { closed = false } = record.listed('Status')?.status ?? {}
      record.set('IsClosed', closed)
      const closedBefore = record.was('IsClosed') === true ? record.was('ClosedDate') : null
      record.set('ClosedDate', closed ? (closedBefore ?? record.facts.now) : null)
      if (!record.isNew) return
      record.set('IsClosedOnCreate', closed)
      if (record.get('AccountId') !== null) return
      record.set('AccountId', record.related('ContactId')?.values.AccountId ?? null)
    },
  },
}
