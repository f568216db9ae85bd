import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getText, integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import type { Copied, DerivedRecord } from '../behaviour/derived-record.ts'
import { derivedFrom, notWritable } from '../behaviour/not-writable.ts'
import { pricebookSql } from './pricebooks.sql.ts'

export const PRICEBOOK_ENTRY: ObjectDefinition = {
  name: 'PricebookEntry',
  label: 'Price Book Entry',
  labelPlural: 'Price Book Entries',
  keyPrefix: '01u',
  ownerless: true,
  searchable: false,
  fields: [
    { name: 'Name', label: 'Product Name', type: 'string', length: 255, nameField: true, ...notWritable },
    {
      name: 'Pricebook2Id',
      label: 'Price Book ID',
      type: 'reference',
      to: ['Pricebook2'],
      relationship: 'Pricebook2',
      children: 'PricebookEntries',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'Product2Id',
      label: 'Product ID',
      type: 'reference',
      to: ['Product2'],
      relationship: 'Product2',
      children: 'PricebookEntries',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'UnitPrice',
      label: 'List Price',
      type: 'currency',
      precision: 18,
      scale: 2,
      required: true,
      requiredUnless: 'UseStandardPrice',
    },
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'UseStandardPrice', label: 'Use Standard Price', type: 'boolean' },
    {
      name: 'ProductCode',
      label: 'Product Code',
      type: 'string',
      length: 255,
      ...derivedFrom('Product2.ProductCode'),
    },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
  ],
}

/** Of each product a price in the standard book first, and one in each book. */
const refuseEntries: NonNullable<ObjectBehaviour['refuseInsert']> = async ({ db, org, object }, records) => {
  const refusals = new Map<(typeof records)[number], ApiError>()
  const named = records.flatMap((record) => {
    const [book, product] = ['Pricebook2Id', 'Product2Id'].map((name) => getText(object, record.values, name))
    return book === undefined || product === undefined ? [] : [{ record, pair: [book, product] as const }]
  })
  if (named.length === 0) return refusals
  await db.query(pricebookSql.lockProducts(org, [...new Set(named.map(({ pair }) => pair[1]))]))
  type State = { position: number; taken: boolean; isStandard: boolean; hasStandard: boolean }
  const pairs = named.map(({ pair }) => pair)
  const rows = await db.query<State>(pricebookSql.refused(org, pairs))
  const states = new Map(rows.map((row) => [row.position, row]))
  /** Products whose standard price stands earlier in the list. */
  const standardOf = new Set<string>()
  const seen = new Set<string>()
  for (const [index, { record, pair }] of named.entries()) {
    const state = states.get(index + 1)
    if (state === undefined) continue
    const key = pair.join()
    if (state.taken || seen.has(key)) {
      refusals.set(
        record,
        new ApiError('DUPLICATE_VALUE', 'This price definition already exists in this price book'),
      )
      continue
    }
    if (!state.isStandard && !state.hasStandard && !standardOf.has(pair[1])) {
      const message = 'Before creating a custom price, create a standard price.'
      refusals.set(record, new ApiError('STANDARD_PRICE_NOT_DEFINED', message))
      continue
    }
    seen.add(key)
    if (state.isStandard) standardOf.add(pair[1])
  }
  return refusals
}

const follows = (object: ObjectType, values: RecordValues) =>
  values.get(object.field('UseStandardPrice')!) === true

/** A price of the standard book follows none, and one that follows is not set. */
function checkStandardPrice(record: DerivedRecord): void {
  if (record.get('UseStandardPrice') !== true || record.facts.isRecomputed) return
  if (record.related('Pricebook2Id')?.values.IsStandard === true)
    throw integrityError('The standard price cannot follow itself', 'UseStandardPrice')
  const isHeld = record.was('UseStandardPrice') === true && record.isGiven('UnitPrice')
  if (isHeld && record.isChanged('UnitPrice'))
    throw integrityError('The price follows the standard price of the product', 'UnitPrice')
}

const ofProduct = (field: string): Copied => ({ reference: 'Product2Id', parent: 'Product2', field })

/** (docs/reference/api/standard-objects.md#prices) */
export const PRICEBOOK_ENTRY_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Product2Id', 'UseStandardPrice', 'UnitPrice'],
    reads: ['Pricebook2Id'],
    related: { Pricebook2Id: ['IsStandard'] },
    follows: { Name: [ofProduct('Name')], ProductCode: [ofProduct('ProductCode')] },
    derive: checkStandardPrice,
  },
  refuseInsert: refuseEntries,
  beforeInsert: async ({ object }, records) => {
    for (const { values } of records) if (follows(object, values)) values.set(object.field('UnitPrice')!, 0)
  },
  afterInsert: async ({ db, org, audit, object }, records) => {
    const ids = records.filter(({ values }) => follows(object, values)).map(({ id }) => id)
    if (ids.length > 0) await db.query(pricebookSql.followStandardPrice(org, ids, audit))
  },
  beforeChange: async ({ db, org }, records) => {
    const ids = records.map(({ id }) => id)
    await db.query(pricebookSql.lockProductsOfEntries(org, ids))
  },
  afterChange: async ({ db, org, audit }, ids) =>
    void (await db.query(pricebookSql.followStandardPrice(org, ids, audit))),
}
