import { ApiError } from '../../base/api-error.ts'
import { integrityError } from '../behaviour/behaviour.ts'
import type { DerivedRecord, RelatedRecord } from '../behaviour/derived-record.ts'

/** Larger amounts have no cents that a number could hold. */
const MAX_WITH_CENTS = 1e15

/** Rounds half away from zero, as the columns of prices do. What is no finite number stays so, and is refused later. */
export const roundCents = (amount: number): number =>
  !(Math.abs(amount) < MAX_WITH_CENTS)
    ? amount
    : (Math.sign(amount) * Math.round(Number(`${Math.abs(amount)}e2`))) / 100 || 0

export const getNumber = (record: DerivedRecord, name: string): number | null =>
  record.get(name) as number | null

/** Remaining share of a price after the discount in percent: 0.9 for 10. */
export const getShare = (record: DerivedRecord): number => 1 - (getNumber(record, 'Discount') ?? 0) / 100

/** Fields that lines take from their price book entry. */
export const ENTRY_FIELDS = ['UnitPrice', 'Pricebook2Id', 'IsActive', 'Product2Id']

/** Fields that a line keeps of its entry, whatever becomes of it. */
export const COPIED_ONCE = ['ListPrice', 'Product2Id']

/** Gives a line what it keeps of its entry: the list price where it gives none, and the product. */
export function copyFromEntry(record: DerivedRecord, entry: RelatedRecord | undefined): void {
  if (entry === undefined || !(record.isNew || record.facts.isRecomputed)) return
  if (record.get('ListPrice') === null) record.set('ListPrice', entry.values.UnitPrice ?? null)
  record.set('Product2Id', entry.values.Product2Id ?? null)
}

interface BookErrors {
  readonly none: () => ApiError
  readonly other: () => ApiError
  readonly inactive: () => ApiError
}

/**
 * Checks that the entry of a new line is an active one of the price book of what the line belongs to.
 * @returns the entry; undefined where none is named, or the reference to it is wrong
 * @throws ApiError
 */
export function checkEntry(
  record: DerivedRecord,
  parent: RelatedRecord | undefined,
  errors: BookErrors,
): RelatedRecord | undefined {
  const entry = record.related('PricebookEntryId')
  if (entry === undefined || parent === undefined) return undefined
  const book = parent.values.Pricebook2Id ?? null
  if (book === null) throw errors.none()
  if (book !== entry.values.Pricebook2Id) throw errors.other()
  if (entry.values.IsActive !== true) throw errors.inactive()
  return entry
}

/** @throws ApiError for a line of nothing */
export function checkQuantity(record: DerivedRecord, message: string): void {
  if (getNumber(record, 'Quantity') === 0) throw integrityError(message, 'Quantity')
}

export const inOtherBook = (parent: string): ApiError =>
  integrityError(
    `field integrity exception: PricebookEntryId (pricebook entry is in a different pricebook than the one assigned to the ${parent})`,
    'PricebookEntryId',
  )

export const inactiveEntry = (): ApiError =>
  integrityError(
    'field integrity exception: PricebookEntryId (pricebook entry is inactive)',
    'PricebookEntryId',
  )

export const missingPrice = (message: string): ApiError =>
  new ApiError('REQUIRED_FIELD_MISSING', message, { fields: ['UnitPrice'] })
