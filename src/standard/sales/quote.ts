import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import { integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { getNumber, roundCents } from './line-prices.ts'
import { quoteSyncSql } from './quote-sync.sql.ts'

export const QUOTE: ObjectDefinition = {
  name: 'Quote',
  label: 'Quote',
  labelPlural: 'Quotes',
  keyPrefix: '0Q0',
  queueable: true,
  fields: [
    { name: 'Name', label: 'Quote Name', type: 'string', length: 255, required: true, nameField: true },
    recordTypeId,
    ...LAST_USE,
    {
      name: 'OpportunityId',
      label: 'Opportunity ID',
      type: 'reference',
      to: ['Opportunity'],
      relationship: 'Opportunity',
      children: 'Quotes',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'Pricebook2Id',
      label: 'Price Book ID',
      type: 'reference',
      to: ['Pricebook2'],
      relationship: 'Pricebook2',
      children: 'Quotes',
    },
    {
      name: 'ContactId',
      label: 'Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'Contact',
      children: 'Quotes',
    },
    { name: 'QuoteNumber', label: 'Quote Number', type: 'autonumber', format: '{00000000}' },
    {
      name: 'IsSyncing',
      label: 'Syncing',
      type: 'boolean',
      namedBy: { references: [{ name: 'OpportunityId', to: 'Opportunity' }], field: 'SyncedQuoteId' },
      ...notWritable,
    },
    { name: 'ShippingHandling', label: 'Shipping and Handling', type: 'currency', precision: 18, scale: 2 },
    { name: 'Tax', label: 'Tax', type: 'currency', precision: 18, scale: 2 },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      values: [
        { value: 'Draft', default: true },
        'Needs Review',
        'In Review',
        'Approved',
        'Rejected',
        'Presented',
        'Accepted',
        'Denied',
      ],
    },
    { name: 'ExpirationDate', label: 'Expiration Date', type: 'date' },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    {
      name: 'Subtotal',
      label: 'Subtotal',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('QuoteLineItem.Subtotal'),
    },
    {
      name: 'TotalPrice',
      label: 'Total Price',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('QuoteLineItem.TotalPrice'),
    },
    { name: 'LineItemCount', label: 'Line Items', type: 'int', default: 0, ...notWritable },
    { name: 'BillingAddress', label: 'Bill To', type: 'address' },
    { name: 'ShippingAddress', label: 'Ship To', type: 'address' },
    { name: 'QuoteToAddress', label: 'Quote To', type: 'address' },
    { name: 'AdditionalAddress', label: 'Additional To', type: 'address' },
    { name: 'BillingName', label: 'Bill To Name', type: 'string', length: 255 },
    { name: 'ShippingName', label: 'Ship To Name', type: 'string', length: 255 },
    { name: 'QuoteToName', label: 'Quote To Name', type: 'string', length: 255 },
    { name: 'AdditionalName', label: 'Additional To Name', type: 'string', length: 255 },
    { name: 'Email', label: 'Email', type: 'email', length: 80 },
    { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
    { name: 'Fax', label: 'Fax', type: 'phone', length: 40 },
    {
      name: 'ContractId',
      label: 'Contract ID',
      type: 'reference',
      to: ['Contract'],
      relationship: 'Contract',
      children: 'Quotes',
    },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      ...derivedFrom('Opportunity.AccountId'),
    },
    {
      name: 'Discount',
      label: 'Discount',
      type: 'percent',
      precision: 5,
      scale: 2,
      ...derivedFrom('Subtotal', 'TotalPrice'),
    },
    {
      name: 'GrandTotal',
      label: 'Grand Total',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('TotalPrice', 'Tax', 'ShippingHandling'),
    },
  ],
}

/** The field has three digits before the point. */
const MAX_DISCOUNT = 1000

/** (docs/reference/api/standard-objects.md#quote) */
export const QUOTE_BEHAVIOUR: ObjectBehaviour = {
  // The deletion of a quote changes its opportunity, which other writes lock before the quote.
  refuseDelete: async ({ db, org }, ids) => {
    await db.query(quoteSyncSql.lockOpportunities(org, [], ids))
    return new Map()
  },
  derivation: {
    from: ['OpportunityId', 'Pricebook2Id', 'Tax', 'ShippingHandling', 'Subtotal', 'TotalPrice'],
    reads: ['LineItemCount'],
    related: { OpportunityId: ['Pricebook2Id'] },
    follows: {
      AccountId: [{ reference: 'OpportunityId', parent: 'Opportunity', field: 'AccountId' }],
    },
    derive(record) {
      if (record.isNew) {
        if (!record.isGiven('Pricebook2Id'))
          record.set('Pricebook2Id', record.related('OpportunityId')?.values.Pricebook2Id ?? null)
        // The totals of a quote without lines.
        for (const name of ['Subtotal', 'TotalPrice']) record.set(name, 0)
      } else if (record.isChanged('Pricebook2Id') && Number(record.get('LineItemCount')) > 0) {
        throw integrityError('The price book of a quote with lines cannot be changed', 'Pricebook2Id')
      }
      const subtotal = getNumber(record, 'Subtotal') ?? 0
      const total = getNumber(record, 'TotalPrice') ?? 0
      const discount = subtotal === 0 ? null : roundCents(((subtotal - total) / subtotal) * 100)
      // Of lines that nearly cancel each other, a part of next to nothing.
      record.set('Discount', discount !== null && Math.abs(discount) < MAX_DISCOUNT ? discount : null)
      const added = (getNumber(record, 'Tax') ?? 0) + (getNumber(record, 'ShippingHandling') ?? 0)
      record.set('GrandTotal', roundCents(total + added))
    },
  },
}
