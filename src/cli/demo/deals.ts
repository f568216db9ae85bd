import { type Campaign, type Catalog, isGoods, type Offer, startedBy } from './catalog.ts'
import { type Account, type Contact, copyAddress, isCustomer } from './companies.ts'
import { type Draft, draft, type RecordWriter, type Saved } from './record-writer.ts'
import { dayAfter, type Source, type Sources, times } from './source.ts'

/** One thing in a deal. It stands the same in the opportunity, its quote and its order. */
export interface Sale {
  readonly offer: Offer
  readonly quantity: number
  /** For one of them, in cents: sums of cents are exact. */
  readonly unitCents: number
  readonly totalCents: number
}

function makeSale({ one, int }: Source, { NumberOfEmployees }: Account, offer: Offer): Sale {
  // Large companies buy more at once.
  const most = Math.min(30, 1 + Math.ceil(NumberOfEmployees / 50))
  const quantity = isGoods(offer.product) ? int(1, most) : 1
  // Some are below their list price.
  const unitCents = Math.round(offer.entry.UnitPrice * one([100, 100, 100, 95, 90]))
  return { offer, quantity, unitCents, totalCents: unitCents * quantity }
}

/** What is sold in deals, as lines of their documents. `common`: what the lines of each have. */
const makeLines = (
  type: string,
  deals: readonly Deal[],
  common: (deal: number, line: number) => object,
): Draft[] =>
  deals.flatMap(({ sales }, deal) =>
    sales.map(({ offer, quantity, unitCents }, line) =>
      draft(type, {
        ...common(deal, line + 1),
        PricebookEntryId: offer.entry.Id,
        Product2Id: offer.product.Id,
        Quantity: quantity,
        UnitPrice: unitCents / 100,
      }),
    ),
  )

const stage = (name: string, probability: number, forecast: string) => ({ name, probability, forecast })

const OPEN = [
  stage('Prospecting', 10, 'Pipeline'),
  stage('Qualification', 10, 'Pipeline'),
  stage('Needs Analysis', 20, 'Pipeline'),
  stage('Value Proposition', 50, 'Pipeline'),
  stage('Id. Decision Makers', 60, 'Pipeline'),
  stage('Perception Analysis', 70, 'Best Case'),
  stage('Proposal/Price Quote', 75, 'Best Case'),
  stage('Negotiation/Review', 90, 'Commit'),
]
const WON = stage('Closed Won', 100, 'Closed')
const LOST = stage('Closed Lost', 0, 'Omitted')

type Opportunity = ReturnType<typeof makeOpportunity>

/** An opportunity with what is sold in it and the people it is about. */
export interface Deal {
  readonly account: Saved<Account>
  readonly contacts: readonly Saved<Contact>[]
  readonly sales: readonly Sale[]
  readonly opportunity: Saved<Opportunity>
}

const isWon = ({ opportunity }: Deal): boolean => opportunity.StageName === WON.name

export const isClosed = (deal: Deal): boolean => isWon(deal) || deal.opportunity.StageName === LOST.name

function makeOpportunity(
  { one, int, chance, weighted, pick, pricebook, today }: Source,
  account: Saved<Account>,
  sales: readonly Sale[],
  campaigns: readonly Saved<Campaign>[],
) {
  // Nothing was ever sold to a prospect.
  const won = isCustomer(account) ? ([[5, WON]] as const) : []
  const reached = weighted([5, one(OPEN)], [2, LOST], ...won)
  const isOpen = OPEN.includes(reached)
  const closeDate = dayAfter(today, isOpen ? int(3, 180) : -int(30, 540))
  const known = startedBy(dayAfter(closeDate, -30), campaigns)
  const campaign = known.length > 0 && chance(0.3) ? one(known) : null
  return draft('Opportunity', {
    Name: `${account.Name} - ${sales[0]!.offer.product.Name}`.slice(0, 120),
    AccountId: account.Id,
    Type: isCustomer(account) ? 'Existing Customer - Upgrade' : 'New Customer',
    LeadSource: pick('Opportunity', 'LeadSource'),
    StageName: reached.name,
    Probability: reached.probability,
    ForecastCategoryName: reached.forecast,
    CloseDate: closeDate,
    Amount: sales.reduce((cents, sale) => cents + sale.totalCents, 0) / 100,
    TotalOpportunityQuantity: sales.reduce((sum, { quantity }) => sum + quantity, 0),
    NextStep: isOpen ? one(['Call back', 'Send offer', 'Visit']) : null,
    Pricebook2Id: pricebook,
    CampaignId: campaign?.Id ?? null,
    OwnerId: account.OwnerId,
  })
}

/** One or two people of the company have to do with a deal, the first of them most. */
const makeContactRoles = ({ int, pick }: Source, { opportunity, contacts }: Deal) =>
  contacts.slice(0, int(1, 2)).map((contact, at) =>
    draft('OpportunityContactRole', {
      OpportunityId: opportunity.Id,
      ContactId: contact.Id,
      Role: at === 0 ? 'Decision Maker' : pick('OpportunityContactRole', 'Role'),
      IsPrimary: at === 0,
    }),
  )

/** Writes one to three deals for each company, about what is on offer. */
export async function writeDeals(
  writer: RecordWriter,
  sources: Sources,
  share: number,
  { offers, campaigns }: Catalog,
  accounts: readonly Saved<Account>[],
  contacts: readonly Saved<Contact>[],
): Promise<Deal[]> {
  const source = sources('deals', share)
  const made = accounts.flatMap((account) => {
    const people = contacts.filter(({ AccountId }) => AccountId === account.Id)
    return times(source.int(1, 3), () => {
      // No offer comes twice.
      const sold = source.faker.helpers.arrayElements(offers, { min: 1, max: 3 })
      const sales = sold.map((offer) => makeSale(source, account, offer))
      const opportunity = makeOpportunity(source, account, sales, campaigns)
      return { account, contacts: people, sales, opportunity }
    })
  })
  const opportunities = await writer.write(made.map(({ opportunity }) => opportunity))
  const deals = made.map((deal, at) => ({ ...deal, opportunity: opportunities[at]! }))
  await writer.write(
    makeLines('OpportunityLineItem', deals, (at, line) => ({
      OpportunityId: opportunities[at]!.Id,
      SortOrder: line,
    })),
  )
  const roles = sources('roles', share)
  await writer.write(deals.flatMap((deal) => makeContactRoles(roles, deal)))
  return deals
}

/** By the stage of a deal for which a price was named how its quote stands. */
const QUOTE_STATUSES: Readonly<Record<string, string>> = {
  'Proposal/Price Quote': 'In Review',
  'Negotiation/Review': 'Presented',
  'Closed Won': 'Accepted',
  'Closed Lost': 'Denied',
}

/** Days that an offer stands after the day on which it should be decided. */
const STANDS = 30

const makeQuote = ({ account, contacts: [contact], opportunity }: Deal) =>
  draft('Quote', {
    Name: `Quote for ${opportunity.Name}`.slice(0, 255),
    OpportunityId: opportunity.Id,
    Pricebook2Id: opportunity.Pricebook2Id,
    Status: QUOTE_STATUSES[opportunity.StageName]!,
    ExpirationDate: dayAfter(opportunity.CloseDate, STANDS),
    ContactId: contact!.Id,
    Email: contact!.Email,
    Phone: contact!.Phone,
    BillingName: account.Name,
    ...copyAddress('Billing', account),
    OwnerId: opportunity.OwnerId,
  })

/** Signed on the day on which the deal was won. */
const makeContract = ({ one }: Source, { account, contacts: [signer], opportunity }: Deal) =>
  draft('Contract', {
    AccountId: account.Id,
    Pricebook2Id: opportunity.Pricebook2Id,
    Status: 'Draft',
    CustomerSignedId: signer!.Id,
    CustomerSignedTitle: signer!.Title.slice(0, 40),
    CustomerSignedDate: opportunity.CloseDate,
    CompanySignedId: opportunity.OwnerId,
    CompanySignedDate: dayAfter(opportunity.CloseDate, 1),
    // No order of the deal begins before.
    StartDate: dayAfter(opportunity.CloseDate, 1),
    ContractTerm: one([12, 24, 36]),
    ...copyAddress('Billing', account),
    OwnerId: opportunity.OwnerId,
  })

type Order = ReturnType<typeof makeOrder>

function makeOrder({ faker, int }: Source, deal: Deal, quoteId: string, contractId: string | null) {
  const { account, contacts, opportunity } = deal
  const ordered = dayAfter(opportunity.CloseDate, int(0, 7))
  return draft('Order', {
    AccountId: account.Id,
    OpportunityId: opportunity.Id,
    QuoteId: quoteId,
    ContractId: contractId,
    Pricebook2Id: opportunity.Pricebook2Id,
    Name: `Order of ${account.Name}`.slice(0, 80),
    Status: 'Draft',
    PoNumber: `PO-${faker.string.numeric(6)}`,
    PoDate: ordered,
    EffectiveDate: dayAfter(ordered, int(1, 7)),
    BillToContactId: contacts[0]!.Id,
    ...copyAddress('Billing', account),
    ...copyAddress('Shipping', account),
    OwnerId: opportunity.OwnerId,
  })
}

/** In force from the day on which it begins. */
const activated = ({ Id, attributes }: Saved<Draft>, begin: string) => ({
  attributes,
  Id,
  Status: 'Activated',
  ActivatedDate: `${begin}T00:00:00Z`,
})

/** An order, and the deal that it is of. */
export interface Ordered {
  readonly deal: Deal
  readonly order: Saved<Order>
}

/** Of won deals one in so many leads to a contract. */
const CONTRACT_AT = 3

/** Won deals become orders, some after a contract; quotes were accepted before. */
export async function writeOrders(
  writer: RecordWriter,
  sources: Sources,
  share: number,
  deals: readonly Deal[],
): Promise<Ordered[]> {
  const quoted = deals.filter(({ opportunity }) => QUOTE_STATUSES[opportunity.StageName] !== undefined)
  const quotes = await writer.write(quoted.map(makeQuote))
  await writer.write(
    makeLines('QuoteLineItem', quoted, (at, line) => ({ QuoteId: quotes[at]!.Id, SortOrder: line })),
  )
  const won = deals.filter(isWon)
  const large = won.filter((_, at) => at % CONTRACT_AT === 0)
  const signed = sources('contracts', share)
  const contracts = await writer.write(large.map((deal) => makeContract(signed, deal)))
  await writer.change(contracts.map((contract) => activated(contract, contract.StartDate)))
  const source = sources('orders', share)
  const drafts = won.map((deal) =>
    makeOrder(source, deal, quotes[quoted.indexOf(deal)]!.Id, contracts[large.indexOf(deal)]?.Id ?? null),
  )
  const orders = await writer.write(drafts)
  await writer.write(makeLines('OrderItem', won, (at) => ({ OrderId: orders[at]!.Id })))
  await writer.change(orders.map((order) => activated(order, order.EffectiveDate)))
  return won.map((deal, at) => ({ deal, order: orders[at]! }))
}
