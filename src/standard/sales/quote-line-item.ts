import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, LAST_USE } from '../behaviour/not-writable.ts'
import {
  COPIED_ONCE,
  checkEntry,
  checkQuantity,
  copyFromEntry,
  ENTRY_FIELDS,
  getNumber,
  getShare,
  missingPrice,
  roundCents,
} from './line-prices.ts'
import { MIRRORED, mirrorLines } from './quote-sync.ts'

export const QUOTE_LINE_ITEM: ObjectDefinition = {
  name: 'QuoteLineItem',
  label: 'Quote Line Item',
  labelPlural: 'Quote Line Items',
  keyPrefix: '0QL',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'LineNumber',
      label: 'Line Item Number',
      type: 'autonumber',
      format: '{00000000}',
      nameField: true,
    },
    ...LAST_USE,
    {
      name: 'QuoteId',
      label: 'Quote ID',
      type: 'reference',
      to: ['Quote'],
      relationship: 'Quote',
      children: 'QuoteLineItems',
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
      children: 'QuoteLineItems',
      onDelete: 'restrict',
      required: true,
      updateable: false,
    },
    {
      name: 'OpportunityLineItemId',
      label: 'Opportunity Product ID',
      type: 'reference',
      to: ['OpportunityLineItem'],
      relationship: 'OpportunityLineItem',
    },
    { name: 'Quantity', label: 'Quantity', type: 'double', precision: 12, scale: 2, required: true },
    { name: 'UnitPrice', label: 'Sales Price', type: 'currency', precision: 18, scale: 2 },
    { name: 'Discount', label: 'Discount', type: 'percent', precision: 5, scale: 2 },
    { name: 'Description', label: 'Line Item Description', type: 'string', length: 255 },
    { name: 'ServiceDate', label: 'Date', type: 'date' },
    {
      name: 'Product2Id',
      label: 'Product ID',
      type: 'reference',
      to: ['Product2'],
      relationship: 'Product2',
      onDelete: 'restrict',
      updateable: false,
    },
    { name: 'SortOrder', label: 'Sort Order', type: 'int' },
    {
      name: 'ListPrice',
      label: 'List Price',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('PricebookEntry.UnitPrice'),
    },
    {
      name: 'Subtotal',
      label: 'Subtotal',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('UnitPrice'),
    },
    {
      name: 'TotalPrice',
      label: 'Total Price',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('UnitPrice', 'Discount'),
    },
  ],
}

/** (docs/reference/api/standard-objects.md#lines) */
export const QUOTE_LINE_ITEM_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Quantity', 'UnitPrice', 'Discount', 'PricebookEntryId'],
    related: { QuoteId: ['Pricebook2Id'], PricebookEntryId: ENTRY_FIELDS },
    once: COPIED_ONCE,
    derive(record) {
      checkQuantity(record, 'Quantity must be nonzero')
      const other = () =>
        integrityError(
          'The price book entry is in a different price book than the one assigned to the Quote',
          'PricebookEntryId',
        )
      if (record.isNew) {
        const entry = checkEntry(record, record.related('QuoteId'), {
          none: other,
          other,
          inactive: () =>
            integrityError(
              'The price book entry is inactive. Ask your Svc admin for help.',
              'PricebookEntryId',
            ),
        })
        copyFromEntry(record, entry)
      } else copyFromEntry(record, record.related('PricebookEntryId'))
      const unit = getNumber(record, 'UnitPrice')
      if (unit === null) throw missingPrice('Required fields are missing: [UnitPrice]')
      const subtotal = unit * (getNumber(record, 'Quantity') ?? 0)
      record.set('Subtotal', roundCents(subtotal))
      record.set('TotalPrice', roundCents(subtotal * getShare(record)))
    },
  },
  afterInsert: (write, records) =>
    mirrorLines(
      write,
      records.map(({ id }) => id),
    ),
  hooksFor: [...MIRRORED, 'OpportunityLineItemId'],
  afterChange: mirrorLines,
  effects: [
    {
      reference: 'QuoteId',
      parent: 'Quote',
      under: { reference: 'OpportunityId', object: 'Opportunity', back: 'SyncedQuoteId' },
      from: [...MIRRORED, 'OpportunityLineItemId'],
      sets: {
        Subtotal: { function: 'sum', of: 'Subtotal' },
        TotalPrice: { function: 'sum', of: 'TotalPrice' },
        LineItemCount: { function: 'count' },
      },
      kind: 'change',
    },
  ],
}
