import type { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  getText,
  integrityError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'
import type { Copied, DerivedRecord, RelatedRecord } from '../behaviour/derived-record.ts'
import { derivedFrom, LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import {
  COPIED_ONCE,
  checkEntry,
  checkQuantity,
  copyFromEntry,
  ENTRY_FIELDS,
  getNumber,
  getShare,
  inactiveEntry,
  inOtherBook,
  roundCents,
} from './line-prices.ts'
import { pricebookSql } from './pricebooks.sql.ts'
import { MIRRORED, mirrorLines } from './quote-sync.ts'

export const OPPORTUNITY_LINE_ITEM: ObjectDefinition = {
  name: 'OpportunityLineItem',
  label: 'Opportunity Product',
  labelPlural: 'Opportunity Product',
  keyPrefix: '00k',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'OpportunityId',
      label: 'Opportunity ID',
      type: 'reference',
      to: ['Opportunity'],
      relationship: 'Opportunity',
      children: 'OpportunityLineItems',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    { name: 'SortOrder', label: 'Sort Order', type: 'int' },
    {
      name: 'PricebookEntryId',
      label: 'Price Book Entry ID',
      type: 'reference',
      to: ['PricebookEntry'],
      relationship: 'PricebookEntry',
      children: 'OpportunityLineItems',
      onDelete: 'restrict',
      updateable: false,
    },
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
      name: 'ProductCode',
      label: 'Product Code',
      type: 'string',
      length: 255,
      ...derivedFrom('Product2.ProductCode'),
    },
    {
      name: 'Name',
      label: 'Opportunity Product Name',
      type: 'string',
      length: 376,
      nameField: true,
      ...notWritable,
    },
    { name: 'Quantity', label: 'Quantity', type: 'double', precision: 12, scale: 2, required: true },
    { name: 'Discount', label: 'Discount', type: 'percent', precision: 5, scale: 2 },
    {
      name: 'Subtotal',
      label: 'Subtotal',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('UnitPrice'),
    },
    { name: 'TotalPrice', label: 'Total Price', type: 'currency', precision: 18, scale: 2 },
    { name: 'UnitPrice', label: 'Sales Price', type: 'currency', precision: 18, scale: 2 },
    {
      name: 'ListPrice',
      label: 'List Price',
      type: 'currency',
      precision: 18,
      scale: 2,
      ...derivedFrom('PricebookEntry.UnitPrice'),
    },
    { name: 'ServiceDate', label: 'Date', type: 'date' },
    { name: 'Description', label: 'Line Description', type: 'string', length: 255 },
    ...LAST_USE,
  ],
}

const onlyOnePrice = () =>
  integrityError('only one of unit price or total price may be specified', 'UnitPrice')

type Price = 'UnitPrice' | 'TotalPrice'

const isPriceGiven = (record: DerivedRecord, name: Price) => record.isGiven(name) && record.get(name) !== null

const isPriceEmptied = (record: DerivedRecord, name: Price) =>
  record.isGiven(name) && record.get(name) === null

/** Which of the two prices decides the other one. One that is given as null is left to the other. */
function choosePrice(record: DerivedRecord): Price {
  const [unit, total] = [isPriceGiven(record, 'UnitPrice'), isPriceGiven(record, 'TotalPrice')]
  if (unit && total) throw onlyOnePrice()
  if (unit || total) return unit ? 'UnitPrice' : 'TotalPrice'
  if (record.facts.isRecomputed) return record.get('UnitPrice') === null ? 'TotalPrice' : 'UnitPrice'
  if (record.isNew) return 'UnitPrice'
  const [noUnit, noTotal] = [isPriceEmptied(record, 'UnitPrice'), isPriceEmptied(record, 'TotalPrice')]
  if (noUnit && noTotal) throw integrityError('a unit price or a total price must be specified', 'UnitPrice')
  if (noUnit || noTotal) return noUnit ? 'TotalPrice' : 'UnitPrice'
  const [quantity, discount] = [record.isChanged('Quantity'), record.isChanged('Discount')]
  if (quantity && discount) {
    throw integrityError(
      'a change of quantity and discount needs the unit price or the total price',
      'UnitPrice',
    )
  }
  return quantity ? 'TotalPrice' : 'UnitPrice'
}

/** The unit price of a line with this total price. With nothing left of it after the discount it says nothing of the unit price. */
function findUnitPrice(record: DerivedRecord, total: number, entry: RelatedRecord | undefined) {
  const share = getShare(record)
  if (share !== 0) return roundCents(total / (getNumber(record, 'Quantity') ?? 0) / share)
  const kept = getNumber(record, 'UnitPrice') ?? (record.was('UnitPrice') as number | null)
  return kept ?? (entry?.values.UnitPrice as number | undefined) ?? null
}

/**
 * Unit price, total price and subtotal, each by the others.
 * @param entry whose price is the unit price of a new line that gives none
 */
function derivePrices(record: DerivedRecord, entry: RelatedRecord | undefined): void {
  const chosen = choosePrice(record)
  const quantity = getNumber(record, 'Quantity') ?? 0
  const total = getNumber(record, 'TotalPrice')
  if (chosen === 'TotalPrice' && total !== null) record.set('UnitPrice', findUnitPrice(record, total, entry))
  else if (record.isNew && getNumber(record, 'UnitPrice') === null)
    record.set('UnitPrice', entry?.values.UnitPrice ?? null)
  const unit = getNumber(record, 'UnitPrice')
  const keepsTotal = record.facts.isRecomputed && total !== null
  if (chosen === 'UnitPrice' && !keepsTotal)
    record.set('TotalPrice', unit === null ? null : roundCents(unit * quantity * getShare(record)))
  record.set('Subtotal', unit === null ? null : roundCents(unit * quantity))
}

/** Loads the opportunity of a new line, which is locked. */
const opportunityOf = (object: ObjectType, { values, related }: WrittenRecord) =>
  related?.get(getText(object, values, 'OpportunityId') ?? '')?.values

/**
 * The entry of a new line. The first one decides the price book of its opportunity.
 * @throws ApiError for one that the opportunity cannot have
 */
function findEntry(record: DerivedRecord): RelatedRecord | undefined {
  const opportunity = record.related('OpportunityId')
  const other = () => inOtherBook('opportunity')
  if (opportunity?.values.Pricebook2Id !== null)
    return checkEntry(record, opportunity, { none: other, other, inactive: inactiveEntry })
  const entry = record.related('PricebookEntryId')
  if (entry === undefined) return undefined
  if (record.related('PricebookEntryId.Pricebook2Id')?.values.IsActive !== true) throw other()
  if (entry.values.IsActive !== true) throw inactiveEntry()
  return entry
}

const ofEntry = (field: string): Copied => ({
  reference: 'PricebookEntryId',
  parent: 'PricebookEntry',
  field,
})

/** The keys of new lines in their order. */
const listKeys = <R extends WrittenRecord>(object: ObjectType, records: readonly R[]) =>
  records.flatMap((record) => {
    const [opportunity, product, entry] = ['OpportunityId', 'Product2Id', 'PricebookEntryId'].map((name) =>
      getText(object, record.values, name),
    )
    return opportunity === undefined ? [] : [{ record, opportunity, product, entry }]
  })

/** Lines that name a product alone get its entry in the price book of their opportunity, or of the first line before them. */
async function findEntries({ db, org, object }: Write, records: readonly WrittenRecord[]): Promise<void> {
  const deciding = new Map<string, string>()
  const asking: { values: RecordValues; line: readonly [string, string, string | null] }[] = []
  for (const { record, opportunity, product, entry } of listKeys(object, records)) {
    if (entry !== undefined) deciding.set(opportunity, deciding.get(opportunity) ?? entry)
    else if (product !== undefined)
      asking.push({
        values: record.values,
        line: [opportunity, product, deciding.get(opportunity) ?? null],
      })
  }
  if (asking.length === 0) return
  const lines = asking.map(({ line }) => line)
  const rows = await db.query<{ position: number; id: string }>(pricebookSql.entriesOf(org, lines))
  const reference = object.field('PricebookEntryId')!
  for (const { position, id } of rows) asking[position - 1]!.values.set(reference, id)
}

const neitherEntryNorProduct = () =>
  integrityError(
    'field integrity exception: unknown (versions 3.0 and higher must specify pricebook entry id, others must specify product id)',
  )

/** A line is of an entry, which may be found by its product. */
function refuseWithoutEntry<R extends WrittenRecord>(
  { object, lenient }: Write,
  records: readonly R[],
): ReadonlyMap<R, ApiError> {
  const without = ({ values }: R) => getText(object, values, 'PricebookEntryId') === undefined
  return new Map(lenient ? [] : records.filter(without).map((record) => [record, neitherEntryNorProduct()]))
}

/** Of the lines of a list, the first one decides the price book of an opportunity without one. Others are of that book. */
async function refuseOtherBooks<R extends WrittenRecord>(
  { db, org, object }: Write,
  records: readonly R[],
): Promise<ReadonlyMap<R, ApiError>> {
  const isOpen = (record: R) => (opportunityOf(object, record)?.Pricebook2Id ?? null) === null
  const first = listKeys(object, records).filter(({ record, entry }) => entry !== undefined && isOpen(record))
  const refusals = new Map<R, ApiError>()
  if (new Set(first.map(({ entry }) => entry)).size < 2) return refusals
  const entries = first.map(({ entry }) => entry!)
  const rows = await db.query<{ id: string; book: string }>(pricebookSql.booksOf(org, entries))
  const bookOf = new Map(rows.map(({ id, book }) => [id, book]))
  const decided = new Map<string, string | undefined>()
  for (const { record, opportunity, entry } of first) {
    const book = bookOf.get(entry!)
    if (!decided.has(opportunity)) decided.set(opportunity, book)
    else if (decided.get(opportunity) !== book) refusals.set(record, inOtherBook('opportunity'))
  }
  return refusals
}

const noEntry = () =>
  integrityError(
    'field integrity exception: PricebookEntryId (the price book of the opportunity has no entry of the product)',
    'PricebookEntryId',
  )

/** (docs/reference/api/standard-objects.md#lines) */
export const OPPORTUNITY_LINE_ITEM_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Quantity', 'UnitPrice', 'TotalPrice', 'Discount', 'PricebookEntryId'],
    related: {
      OpportunityId: ['Pricebook2Id', 'SyncedQuoteId'],
      PricebookEntryId: ENTRY_FIELDS,
      'PricebookEntryId.Pricebook2Id': ['IsActive'],
    },
    follows: {
      Name: [{ reference: 'OpportunityId', parent: 'Opportunity', field: 'Name' }, ofEntry('Name')],
      ProductCode: [ofEntry('ProductCode')],
    },
    once: COPIED_ONCE,
    derive(record) {
      checkQuantity(record, 'Quantity must be nonzero')
      const isOfProduct = record.isNew && record.get('Product2Id') !== null
      if (isOfProduct && record.get('PricebookEntryId') === null) throw noEntry()
      const entry = record.isNew ? findEntry(record) : record.related('PricebookEntryId')
      copyFromEntry(record, entry)
      derivePrices(record, entry)
    },
  },
  findReferences: findEntries,
  refuseInsert: async (write, records) =>
    new Map([...(await refuseOtherBooks(write, records)), ...refuseWithoutEntry(write, records)]),
  beforeInsert: async ({ db, org, object }, records) => {
    const pairs = records.flatMap((record) => {
      const [opportunity, entry] = ['OpportunityId', 'PricebookEntryId'].map((name) =>
        getText(object, record.values, name),
      )
      if (opportunity === undefined || entry === undefined) return []
      const hasBook = (opportunityOf(object, record)?.Pricebook2Id ?? null) !== null
      return hasBook ? [] : [[opportunity, entry] as const]
    })
    if (pairs.length > 0) await db.query(pricebookSql.assign(org, pairs))
  },
  afterInsert: async (write, records) => {
    const synced = records.filter(
      (record) => (opportunityOf(write.object, record)?.SyncedQuoteId ?? null) !== null,
    )
    const ids = synced.map(({ id }) => id)
    if (ids.length > 0) await mirrorLines(write, ids)
  },
  hooksFor: [...MIRRORED, 'TotalPrice'],
  afterChange: mirrorLines,
  effects: [
    {
      reference: 'OpportunityId',
      parent: 'Opportunity',
      from: [...MIRRORED, 'TotalPrice'],
      sets: {
        Amount: { function: 'sum', of: 'TotalPrice' },
        TotalOpportunityQuantity: { function: 'sum', of: 'Quantity' },
        HasOpportunityLineItem: { function: 'any' },
      },
      kind: 'change',
    },
  ],
}
