import type { Faker } from '@faker-js/faker'
import { dayAfter } from './days.ts'
import type { SavedDeal } from './deals.ts'
import { type Changed, draft, type Saved } from './draft.ts'
import { makeLine } from './make-sales.ts'

export type Order = ReturnType<typeof makeOrder>

/** Documents that a won deal has by the time of its order. */
export interface Won {
  readonly deal: SavedDeal
  readonly quoteId: string
  readonly contractId: string | null
}

/** An order that is written, and what it is for. */
export interface Ordered extends Won {
  readonly order: Saved<Order>
}

function makeOrder(random: Faker, { deal, quoteId, contractId }: Won) {
  const { account, contacts, opportunity } = deal
  const [buyer] = contacts
  const ordered = dayAfter(opportunity.CloseDate, random.number.int({ min: 0, max: 7 }))
  return draft('Order', {
    AccountId: account.Id,
    OpportunityId: opportunity.Id,
    QuoteId: quoteId,
    ContractId: contractId,
    Pricebook2Id: opportunity.Pricebook2Id,
    Name: `Order of ${account.Name}`.slice(0, 80),
    Status: 'Draft',
    PoNumber: `PO-${random.string.numeric(6)}`,
    PoDate: ordered,
    EffectiveDate: dayAfter(ordered, random.number.int({ min: 1, max: 7 })),
    BillToContactId: buyer!.Id,
    BillingStreet: account.BillingStreet,
    BillingCity: account.BillingCity,
    BillingState: account.BillingState,
    BillingPostalCode: account.BillingPostalCode,
    BillingCountry: account.BillingCountry,
    ShippingStreet: account.ShippingStreet,
    ShippingCity: account.ShippingCity,
    ShippingState: account.ShippingState,
    ShippingPostalCode: account.ShippingPostalCode,
    ShippingCountry: account.ShippingCountry,
    OwnerId: opportunity.OwnerId,
  })
}

/** One for each deal that was won, in their order. */
export const makeOrders = (random: Faker, won: readonly Won[]): Order[] =>
  won.map((one) => makeOrder(random, one))

/** Orders are carried out from the day on which they begin. */
export const activateOrders = (orders: readonly Ordered[]): Changed[] =>
  orders.map(({ order: { Id, attributes, EffectiveDate } }) => ({
    attributes,
    Id,
    Status: 'Activated',
    ActivatedDate: `${EffectiveDate}T00:00:00Z`,
  }))

/** Makes the items of the orders: the products sold in their deals. */
export const makeOrderItems = (orders: readonly Ordered[]) =>
  orders.flatMap(({ deal, order }) =>
    deal.sales.map((sale) => draft('OrderItem', { OrderId: order.Id, ...makeLine(sale) })),
  )
