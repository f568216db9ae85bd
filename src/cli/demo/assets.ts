import type { Faker } from '@faker-js/faker'
import { dayAfter } from './days.ts'
import { draft } from './draft.ts'
import type { Sale } from './make-sales.ts'
import type { Ordered } from './orders.ts'
import { isGoods } from './products.ts'

export type Asset = ReturnType<typeof makeAsset>

/** Closed deals lie a month back, so what was ordered stands at the customer by now. */
function makeAsset(random: Faker, { deal, order }: Ordered, { offer, quantity, totalCents }: Sale) {
  return draft('Asset', {
    Name: offer.product.Name,
    AccountId: deal.account.Id,
    ContactId: deal.contacts[0]!.Id,
    Product2Id: offer.product.Id,
    SerialNumber: `${offer.product.StockKeepingUnit}-${random.string.numeric(5)}`,
    Quantity: quantity,
    Price: Math.round(totalCents / 100),
    Status: random.helpers.arrayElement(['Installed', 'Installed', 'Registered']),
    PurchaseDate: order.PoDate,
    InstallDate: dayAfter(order.EffectiveDate, random.number.int({ min: 1, max: 10 })),
    OwnerId: deal.opportunity.OwnerId,
  })
}

/** The goods of orders, where they were brought. */
export const makeAssets = (random: Faker, orders: readonly Ordered[]): Asset[] =>
  orders.flatMap((ordered) =>
    ordered.deal.sales
      .filter(({ offer }) => isGoods(offer.product))
      .map((sale) => makeAsset(random, ordered, sale)),
  )
