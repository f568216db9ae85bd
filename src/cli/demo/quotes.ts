import { dayAfter } from './days.ts'
import type { SavedDeal } from './deals.ts'
import { draft, type Saved } from './draft.ts'
import { makeLine } from './make-sales.ts'

export type Quote = ReturnType<typeof makeQuote>

/** Days that an offer stands after the day on which it should be decided. */
const STANDS = 30

/** By the stage of a deal that has come so far how its quote stands. */
const STATUSES: Readonly<Record<string, string>> = {
  'Proposal/Price Quote': 'In Review',
  'Negotiation/Review': 'Presented',
  'Closed Won': 'Accepted',
  'Closed Lost': 'Denied',
}

/** Deals for which a price was named. */
export const quotedDeals = (deals: readonly SavedDeal[]): readonly SavedDeal[] =>
  deals.filter(({ opportunity }) => STATUSES[opportunity.StageName] !== undefined)

function makeQuote({ account, contacts, opportunity }: SavedDeal) {
  const [contact] = contacts
  return draft('Quote', {
    Name: `Quote for ${opportunity.Name}`.slice(0, 255),
    OpportunityId: opportunity.Id,
    Pricebook2Id: opportunity.Pricebook2Id,
    Status: STATUSES[opportunity.StageName]!,
    ExpirationDate: dayAfter(opportunity.CloseDate, STANDS),
    ContactId: contact!.Id,
    Email: contact!.Email,
    Phone: contact!.Phone,
    BillingName: account.Name,
    BillingStreet: account.BillingStreet,
    BillingCity: account.BillingCity,
    BillingState: account.BillingState,
    BillingPostalCode: account.BillingPostalCode,
    BillingCountry: account.BillingCountry,
    OwnerId: opportunity.OwnerId,
  })
}

/** One for each of these deals, in their order. */
export const makeQuotes = (deals: readonly SavedDeal[]): Quote[] => deals.map(makeQuote)

/** The lines of those quotes: what is sold in their deals. */
export const makeQuoteLineItems = (deals: readonly SavedDeal[], quotes: readonly Saved<Quote>[]) =>
  deals.flatMap(({ sales }, at) =>
    sales.map((sale, line) =>
      draft('QuoteLineItem', { QuoteId: quotes[at]!.Id, SortOrder: line + 1, ...makeLine(sale) }),
    ),
  )
