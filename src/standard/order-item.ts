import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { integrityError, type ObjectBehaviour } from './behaviour.ts'
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
import { notWritable } from './not-writable.ts'
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
    { name: 'TotalPrice', label: 'Total Price', type: 'currency', precision: 18, scale: 2, ...notWritable },
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

/** (docs/reference/api/standard-objects.md#lines) */
export const ORDER_ITEM_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Quantity', 'UnitPrice', 'ServiceDate', 'EndDate', 'PricebookEntryId'],
    reads: ['OrderId'],
    related: {
      OrderId: ['Pricebook2Id', 'StatusCode', 'EffectiveDate', 'EndDate'],
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
  refuseDelete: async ({ db, org }, ids) => {
    const locked = await db.query<{ id: string }>(orderSql.linesOfActivated(org, ids))
    return new Map(locked.map(({ id }) => [id, orderLocked()]))
  },
}
