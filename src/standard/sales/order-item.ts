import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'
import { derivedFrom, notWritable } from '../behaviour/not-writable.ts'
import {
  COPIED_ONCE,
  checkEntry,
  checkQuantity,
  copyFromEntry,
  ENTRY_FIELDS,
  getNumber,
  inactiveEntry,
  inOtherBook,
  missingPrice,
  roundCents,
} from './line-prices.ts'
import { orderLocked } from './order.ts'
import { orderSql } from './orders.sql.ts'

export const ORDER_ITEM: ObjectDefinition = {
  name: 'OrderItem',
  label: 'Order Product',
  labelPlural: 'Order Products',
  keyPrefix: '802',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'Product2Id',
      label: 'Product ID',
      type: 'reference',
      to: ['Product2'],
      relationship: 'Product2',
      onDelete: 'restrict',
      updateable: false,
    },
    {
      name: 'OrderId',
      label: 'Order ID',
      type: 'reference',
      to: ['Order'],
      relationship: 'Order',
      children: 'OrderItems',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'PricebookEntryId',
      label: 'Price Book Entry ID',
      type: 'reference',
      to: ['PricebookEntry'],
      relationship: 'PricebookEntry',
      children: 'OrderItems',
      onDelete: 'restrict',
      required: true,
      updateable: false,
    },
    {
      name: 'OriginalOrderItemId',
      label: 'Original Order Item ID',
      type: 'reference',
      to: ['OrderItem'],
      relationship: 'OriginalOrderItem',
      children: 'ChildOrderItems',
      updateable: false,
    },
    {
      name: 'QuoteLineItemId',
      label: 'Quote Line Item ID',
      type: 'reference',
      to: ['QuoteLineItem'],
      relationship: 'QuoteLineItem',
      children: 'OrderItems',
    },
    {
      name: 'AvailableQuantity',
      label: 'Available Quantity',
      type: 'double',
      precision: 18,
      scale: 2,
      ...notWritable,
    },
    { name: 'Quantity', label: 'Quantity', type: 'double', precision: 18, scale: 2, required: true },
    { name: 'UnitPrice', label: 'Unit Price', type: 'currency', precision: 18, scale: 2 },
    { name: 'ListPrice', label: 'List Price', type: 'currency', precision: 18, scale: 2, updateable: false },
    {
      name: 'TotalPrice',
      label: 'Total Price',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('UnitPrice'),
    },
    { name: 'ServiceDate', label: 'Start Date', type: 'date' },
    { name: 'EndDate', label: 'End Date', type: 'date' },
    { name: 'Description', label: 'Line Description', type: 'string', length: 255 },
    {
      name: 'OrderItemNumber',
      label: 'Order Product Number',
      type: 'autonumber',
      format: '{0000000000}',
      nameField: true,
    },
  ],
}

/** A line of a quote is of the quote that the order is made of. The order may get another quote later. */
function checkQuote(record: DerivedRecord): void {
  const line = record.isChanged('QuoteLineItemId') ? record.related('QuoteLineItemId') : undefined
  const quote = record.related('OrderId')?.values.QuoteId
  if (line !== undefined && !record.facts.isRecomputed && line.values.QuoteId !== quote)
    throw integrityError('The quote line item is not of the quote of the order', 'QuoteLineItemId')
}

/** (docs/reference/api/standard-objects.md#lines) */
export const ORDER_ITEM_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Quantity', 'UnitPrice', 'ServiceDate', 'EndDate', 'PricebookEntryId', 'QuoteLineItemId'],
    reads: ['OrderId'],
    related: {
      OrderId: ['Pricebook2Id', 'StatusCode', 'EffectiveDate', 'EndDate', 'QuoteId'],
      QuoteLineItemId: ['QuoteId'],
      PricebookEntryId: ENTRY_FIELDS,
    },
    once: COPIED_ONCE,
    derive(record) {
      const order = record.related('OrderId')
      const { isRecomputed } = record.facts
      if (order?.values.StatusCode === 'Activated' && !isRecomputed) throw orderLocked()
      checkQuantity(record, "Can't save order products with quantities of zero")
      if (record.isNew) {
        const entry = checkEntry(record, order, {
          none: () => integrityError('The order is missing a price book', 'PricebookEntryId'),
          other: () => inOtherBook('order'),
          inactive: inactiveEntry,
        })
        copyFromEntry(record, entry)
      } else copyFromEntry(record, record.related('PricebookEntryId'))
      const unit = getNumber(record, 'UnitPrice')
      if (unit === null) throw missingPrice('Order Products must have a Unit Price.')
      const [begins, ends] = [record.get('ServiceDate'), record.get('EndDate')]
      const { EffectiveDate: from, EndDate: to } = order?.values ?? {}
      if (begins && from && begins < from)
        throw integrityError('An order product cannot begin before its order', 'ServiceDate')
      if (ends && to && ends > to)
        throw integrityError('An order product cannot end after its order', 'EndDate')
      if (begins && ends && ends < begins)
        throw integrityError('An order product cannot end before it begins', 'EndDate')
      checkQuote(record)
      const quantity = getNumber(record, 'Quantity') ?? 0
      record.set('TotalPrice', roundCents(unit * quantity))
      record.set('AvailableQuantity', quantity)
    },
  },
  effects: [
    {
      reference: 'OrderId',
      parent: 'Order',
      from: ['Quantity', 'UnitPrice'],
      sets: { TotalAmount: { function: 'sum', of: 'TotalPrice' } },
      kind: 'change',
    },
  ],
  // The derivation refuses what it is called for; no other field of a line of an activated order is changed either.
  refuseChange: async ({ db, org }, records) => {
    const ids = records.map(({ id }) => id)
    const locked = await db.query<{ id: string }>(orderSql.linesOfActivated(org, ids))
    const lockedIds = new Set(locked.map(({ id }) => id))
    return new Map(records.filter(({ id }) => lockedIds.has(id)).map((record) => [record, orderLocked()]))
  },
  refuseDelete: async ({ db, org }, ids) => {
    const locked = await db.query<{ id: string }>(orderSql.linesOfActivated(org, ids))
    return new Map(locked.map(({ id }) => [id, orderLocked()]))
  },
}
