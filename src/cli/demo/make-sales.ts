import type { Faker } from '@faker-js/faker'
import type { Account } from './accounts.ts'
import type { Offer } from './pricebook-entries.ts'
import { isGoods } from './products.ts'

/** One thing in a deal. It stands the same in the opportunity, its quote and its order. */
export interface Sale {
  readonly offer: Offer
  readonly quantity: number
  /** For one of them, in cents: sums of cents are exact. */
  readonly unitCents: number
  readonly totalCents: number
}

/** Large companies buy more at once. */
const getMaxQuantity = ({ NumberOfEmployees }: Account) => Math.min(30, 1 + Math.ceil(NumberOfEmployees / 50))

function makeSale(random: Faker, offer: Offer, most: number): Sale {
  const quantity = isGoods(offer.product) ? random.number.int({ min: 1, max: most }) : 1
  const percent = random.helpers.arrayElement([100, 100, 100, 95, 90])
  const unitCents = Math.round(offer.entry.UnitPrice * percent)
  return { offer, quantity, unitCents, totalCents: unitCents * quantity }
}

/** One to three things, none of them twice; some below their list price. */
export const makeSales = (random: Faker, account: Account, offers: readonly Offer[]): Sale[] =>
  random.helpers
    .arrayElements(offers, { min: 1, max: 3 })
    .map((offer) => makeSale(random, offer, getMaxQuantity(account)))

/** How a sale stands in the line of a document. */
export const makeLine = ({ offer, quantity, unitCents }: Sale) => ({
  PricebookEntryId: offer.entry.Id,
  Product2Id: offer.product.Id,
  Quantity: quantity,
  UnitPrice: unitCents / 100,
})
