import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { keepActivated, noteActivation } from './activation.ts'

export const CONTRACT: ObjectDefinition = {
  name: 'Contract',
  label: 'Contract',
  labelPlural: 'Contracts',
  keyPrefix: '800',
  fields: [
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'Contracts',
      onDelete: 'cascade',
      describedDelete: 'cascade and restrict',
      required: true,
    },
    {
      name: 'Pricebook2Id',
      label: 'Price Book ID',
      type: 'reference',
      to: ['Pricebook2'],
      relationship: 'Pricebook2',
      children: 'Contracts',
    },
    {
      name: 'OwnerExpirationNotice',
      label: 'Owner Expiration Notice',
      type: 'picklist',
      length: 40,
      values: [
        { value: '15', label: '15 Days' },
        { value: '30', label: '30 Days' },
        { value: '45', label: '45 Days' },
        { value: '60', label: '60 Days' },
        { value: '90', label: '90 Days' },
        { value: '120', label: '120 Days' },
      ],
      restricted: true,
    },
    { name: 'StartDate', label: 'Contract Start Date', type: 'date' },
    {
      name: 'EndDate',
      label: 'Contract End Date',
      type: 'date',
      ...derivedFrom('StartDate', 'ContractTerm'),
    },
    { name: 'BillingAddress', label: 'Billing Address', type: 'address' },
    { name: 'ShippingAddress', label: 'Shipping Address', type: 'address' },
    { name: 'ContractTerm', label: 'Contract Term', type: 'int' },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      required: true,
      values: [
        { value: 'In Approval Process', statusCode: 'InApproval' },
        { value: 'Activated', statusCode: 'Activated' },
        { value: 'Draft', default: true, statusCode: 'Draft' },
      ],
      restricted: true,
    },
    {
      name: 'CompanySignedId',
      label: 'Company Signed By ID',
      type: 'reference',
      to: ['User'],
      relationship: 'CompanySigned',
      children: 'ContractsSigned',
    },
    { name: 'CompanySignedDate', label: 'Company Signed Date', type: 'date' },
    {
      name: 'CustomerSignedId',
      label: 'Customer Signed By ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'CustomerSigned',
      children: 'ContractsSigned',
      onDelete: 'restrict',
    },
    { name: 'CustomerSignedTitle', label: 'Customer Signed Title', type: 'string', length: 40 },
    { name: 'CustomerSignedDate', label: 'Customer Signed Date', type: 'date' },
    { name: 'SpecialTerms', label: 'Special Terms', type: 'longtextarea', length: 4000 },
    {
      name: 'ActivatedById',
      label: 'Activated By ID',
      type: 'reference',
      to: ['User'],
      relationship: 'ActivatedBy',
      createable: false,
    },
    { name: 'ActivatedDate', label: 'Activated Date', type: 'datetime', createable: false },
    {
      name: 'StatusCode',
      label: 'Status Category',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'Draft', default: true },
        { value: 'InApproval', label: 'In Approval Process' },
        'Activated',
      ],
      restricted: true,
      ...notWritable,
    },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    recordTypeId,
    {
      name: 'ContractNumber',
      label: 'Contract Number',
      type: 'autonumber',
      format: '{00000000}',
      nameField: true,
    },
    { name: 'LastApprovedDate', label: 'Last Approved Date', type: 'datetime', ...notWritable },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    ...LAST_USE,
  ],
}

const invalidStatus = () =>
  new ApiError(
    'FAILED_ACTIVATION',
    'Choose a valid contract status and save your changes. Ask your admin for details.',
    { fields: ['Status'] },
  )

/** The last day of a term of whole months: the day before the same day of the month after it. */
function getEnd(start: string, months: number): string {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  const end = new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastOfMonth)))
  end.setUTCDate(end.getUTCDate() - 1)
  return end.toISOString().slice(0, 10)
}

/** A contract that ends later than this has no end that a date can hold. */
const MAX_MONTHS = 12_000

/** (docs/reference/api/standard-objects.md#contract) */
export const CONTRACT_BEHAVIOUR: ObjectBehaviour = {
  kept: keepActivated('contract'),
  derivation: {
    from: ['Status', 'StartDate', 'ContractTerm'],
    reads: ['StatusCode'],
    derive(record) {
      const { statusCode = 'Draft' } = record.listed('Status')?.status ?? {}
      const before = record.was('StatusCode')
      if (record.isNew ? statusCode !== 'Draft' : before === 'Activated' && statusCode !== before)
        throw invalidStatus()
      record.set('StatusCode', statusCode)
      if (statusCode === 'Activated' && before !== statusCode) noteActivation(record)
      const start = record.get('StartDate') as string | null
      const months = record.get('ContractTerm') as number | null
      const hasEnd = start !== null && months !== null && months > 0 && months <= MAX_MONTHS
      record.set('EndDate', hasEnd ? getEnd(start, months) : null)
    },
  },
}
