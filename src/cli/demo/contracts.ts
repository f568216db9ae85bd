import type { Faker } from '@faker-js/faker'
import { dayAfter } from './days.ts'
import type { SavedDeal } from './deals.ts'
import { type Changed, draft, type Saved } from './draft.ts'

export type Contract = ReturnType<typeof makeContract>

function makeContract(random: Faker, { account, contacts, opportunity }: SavedDeal) {
  const [signer] = contacts
  return draft('Contract', {
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
    ContractTerm: random.helpers.arrayElement([12, 24, 36]),
    BillingStreet: account.BillingStreet,
    BillingCity: account.BillingCity,
    BillingState: account.BillingState,
    BillingPostalCode: account.BillingPostalCode,
    BillingCountry: account.BillingCountry,
    OwnerId: opportunity.OwnerId,
  })
}

/** Signed contracts are in force. */
export const activateContracts = (contracts: readonly Saved<Contract>[]): Changed[] =>
  contracts.map(({ Id, attributes, StartDate }) => ({
    attributes,
    Id,
    Status: 'Activated',
    ActivatedDate: `${StartDate}T00:00:00Z`,
  }))

/** One for each of these deals, signed on the day on which it was won. */
export const makeContracts = (random: Faker, deals: readonly SavedDeal[]): Contract[] =>
  deals.map((deal) => makeContract(random, deal))
