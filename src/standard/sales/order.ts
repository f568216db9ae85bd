import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  integrityError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { keepActivated, noteActivation } from './activation.ts'
import { type OrderLines, orderSql } from './orders.sql.ts'

export const ORDER: ObjectDefinition = {
  name: 'Order',
  label: 'Order',
  labelPlural: 'Orders',
  keyPrefix: '801',
  queueable: true,
  fields: [
    {
      name: 'ContractId',
      label: 'Contract ID',
      type: 'reference',
      to: ['Contract'],
      relationship: 'Contract',
      children: 'Orders',
    },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'Orders',
      onDelete: 'restrict',
      describedDelete: 'cascade and restrict',
    },
    {
      name: 'Pricebook2Id',
      label: 'Price Book ID',
      type: 'reference',
      to: ['Pricebook2'],
      relationship: 'Pricebook2',
      children: 'Orders',
    },
    {
      name: 'OriginalOrderId',
      label: 'Order ID',
      type: 'reference',
      to: ['Order'],
      relationship: 'OriginalOrder',
      children: 'Orders',
      updateable: false,
    },
    {
      name: 'OpportunityId',
      label: 'Opportunity ID',
      type: 'reference',
      to: ['Opportunity'],
      relationship: 'Opportunity',
      children: 'Orders',
    },
    {
      name: 'QuoteId',
      label: 'Quote ID',
      type: 'reference',
      to: ['Quote'],
      relationship: 'Quote',
      children: 'Orders',
    },
    recordTypeId,
    { name: 'EffectiveDate', label: 'Order Start Date', type: 'date', required: true },
    { name: 'EndDate', label: 'Order End Date', type: 'date' },
    { name: 'IsReductionOrder', label: 'Reduction Order', type: 'boolean', updateable: false },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      required: true,
      values: [
        { value: 'Draft', statusCode: 'Draft' },
        { value: 'Activated', statusCode: 'Activated' },
      ],
      restricted: true,
    },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    {
      name: 'CustomerAuthorizedById',
      label: 'Customer Authorized By ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'CustomerAuthorizedBy',
      onDelete: 'restrict',
    },
    { name: 'CustomerAuthorizedDate', label: 'Customer Authorized Date', type: 'date' },
    {
      name: 'CompanyAuthorizedById',
      label: 'Company Authorized By ID',
      type: 'reference',
      to: ['User'],
      relationship: 'CompanyAuthorizedBy',
    },
    { name: 'CompanyAuthorizedDate', label: 'Company Authorized Date', type: 'date' },
    { name: 'Type', label: 'Order Type', type: 'picklist', length: 255, values: [] },
    { name: 'BillingAddress', label: 'Billing Address', type: 'address' },
    { name: 'ShippingAddress', label: 'Shipping Address', type: 'address' },
    { name: 'Name', label: 'Order Name', type: 'string', length: 80 },
    { name: 'PoDate', label: 'PO Date', type: 'date' },
    { name: 'PoNumber', label: 'PO Number', type: 'string', length: 80 },
    { name: 'OrderReferenceNumber', label: 'Order Reference Number', type: 'string', length: 80 },
    {
      name: 'BillToContactId',
      label: 'Bill To Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'BillToContact',
      onDelete: 'restrict',
    },
    {
      name: 'ShipToContactId',
      label: 'Ship To Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'ShipToContact',
      onDelete: 'restrict',
    },
    { name: 'ActivatedDate', label: 'Activated Date', type: 'datetime', createable: false },
    {
      name: 'ActivatedById',
      label: 'Activated By ID',
      type: 'reference',
      to: ['User'],
      relationship: 'ActivatedBy',
      createable: false,
    },
    {
      name: 'StatusCode',
      label: 'Status Category',
      type: 'picklist',
      length: 40,
      values: [{ value: 'Draft', default: true }, 'Activated'],
      restricted: true,
      ...notWritable,
    },
    {
      name: 'OrderNumber',
      label: 'Order Number',
      type: 'autonumber',
      format: '{00000000}',
      nameField: true,
    },
    {
      name: 'TotalAmount',
      label: 'Order Amount',
      type: 'currency',
      precision: 18,
      scale: 2,
      default: 0,
      ...derivedFrom('OrderItem.TotalPrice'),
    },
    ...LAST_USE,
  ],
}

export const orderLocked = (): ApiError =>
  new ApiError(
    'ENTITY_IS_LOCKED',
    'The order is activated: you cannot add, change or remove its order products. Make it a draft first.',
  )

const noLines = () => new ApiError('FAILED_ACTIVATION', 'An order must have at least one product.')

/** Why the order cannot have these values with the lines that it has; undefined where it can. */
function findContradiction(lines: OrderLines, record: WrittenRecord, object: ObjectType) {
  const written = (name: string) => record.values.get(object.field(name)!)
  if (lines.count === 0) return written('StatusCode') === 'Activated' ? noLines() : undefined
  if (record.values.has(object.field('Pricebook2Id')!) && (written('Pricebook2Id') ?? null) !== lines.book)
    return integrityError('The price book of an order with products cannot be changed', 'Pricebook2Id')
  const [from, to] = [written('EffectiveDate'), written('EndDate')]
  if (from && lines.begins !== null && lines.begins < String(from))
    return integrityError('An order cannot begin after its products do', 'EffectiveDate')
  if (to && lines.ends !== null && lines.ends > String(to))
    return integrityError('An order cannot end before its products do', 'EndDate')
  return undefined
}

/** Refuses what the lines of an order do not let it become. The orders are locked: their lines are not written meanwhile. */
async function refuseForLines<R extends WrittenRecord>(
  { db, org, object }: Write,
  records: readonly R[],
): Promise<ReadonlyMap<R, ApiError>> {
  const fields = ['StatusCode', 'Pricebook2Id', 'EffectiveDate', 'EndDate'].map((name) => object.field(name)!)
  const asking = records.filter(({ values }) => fields.some((field) => values.has(field)))
  if (asking.length === 0) return new Map()
  const rows = await db.query<OrderLines>(
    orderSql.lines(
      org,
      asking.map(({ id }) => id),
    ),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    asking.flatMap((record) => {
      const lines = byId.get(record.id)
      const error = lines && findContradiction(lines, record, object)
      return error === undefined ? [] : [[record, error] as const]
    }),
  )
}

/** The days of an order: it ends after it begins, and begins when its contract has begun. */
function checkDays(record: DerivedRecord): void {
  const [begins, ends] = [record.get('EffectiveDate'), record.get('EndDate')] as (string | null)[]
  if (begins && ends && ends < begins) throw integrityError('An order cannot end before it begins', 'EndDate')
  // The contract may have got another start since.
  const start = record.facts.isRecomputed ? null : record.related('ContractId')?.values.StartDate
  if (begins && start && begins < start)
    throw integrityError('An order cannot begin before its contract', 'EffectiveDate')
}

/** (docs/reference/api/standard-objects.md#order) */
export const ORDER_BEHAVIOUR: ObjectBehaviour = {
  refuseChange: refuseForLines,
  kept: keepActivated('order'),
  derivation: {
    from: ['Status', 'AccountId', 'ContractId', 'Pricebook2Id', 'EffectiveDate', 'EndDate'],
    reads: ['StatusCode'],
    related: { ContractId: ['AccountId', 'StartDate'] },
    derive(record) {
      const contract = record.related('ContractId')
      if (record.get('AccountId') === null && contract !== undefined)
        record.set('AccountId', contract.values.AccountId ?? null)
      const isOfNone = record.get('AccountId') === null && record.get('ContractId') === null
      if (isOfNone && !record.facts.isRecomputed)
        throw new ApiError('REQUIRED_FIELD_MISSING', 'Select an account.')
      checkDays(record)
      const { statusCode = 'Draft' } = record.listed('Status')?.status ?? {}
      if (record.isNew && statusCode !== 'Draft') {
        throw new ApiError('FAILED_ACTIVATION', 'For a new or cloned order, choose Draft.', {
          fields: ['Status'],
        })
      }
      const before = record.was('StatusCode')
      record.set('StatusCode', statusCode)
      if (statusCode === 'Activated' && before !== statusCode) noteActivation(record)
      if (statusCode === 'Activated' || before !== 'Activated') return
      record.set('ActivatedDate', null)
      record.set('ActivatedById', null)
    },
  },
}
