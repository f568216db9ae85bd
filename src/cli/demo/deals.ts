import type { Faker } from '@faker-js/faker'
import { type Account, isCustomer } from './accounts.ts'
import { type Campaign, startedBy } from './campaigns.ts'
import type { Contact } from './contacts.ts'
import { dayAfter } from './days.ts'
import { draft, type Saved } from './draft.ts'
import { makeSales, type Sale } from './make-sales.ts'
import type { Offer } from './pricebook-entries.ts'
import type { Scene } from './scene.ts'

type Opportunity = ReturnType<typeof makeOpportunity>

/** An opportunity with what is sold in it and the people it is about. */
export interface Deal {
  readonly account: Saved<Account>
  readonly contacts: readonly Saved<Contact>[]
  readonly sales: readonly Sale[]
  readonly opportunity: Opportunity
}

/** A deal whose opportunity is written. */
export type SavedDeal = Deal & { readonly opportunity: Saved<Opportunity> }

interface Stage {
  readonly name: string
  readonly probability: number
  readonly forecast: 'Pipeline' | 'Best Case' | 'Commit' | 'Closed' | 'Omitted'
}

const OPEN: readonly Stage[] = [
  { name: 'Prospecting', probability: 10, forecast: 'Pipeline' },
  { name: 'Qualification', probability: 10, forecast: 'Pipeline' },
  { name: 'Needs Analysis', probability: 20, forecast: 'Pipeline' },
  { name: 'Value Proposition', probability: 50, forecast: 'Pipeline' },
  { name: 'Id. Decision Makers', probability: 60, forecast: 'Pipeline' },
  { name: 'Perception Analysis', probability: 70, forecast: 'Best Case' },
  { name: 'Proposal/Price Quote', probability: 75, forecast: 'Best Case' },
  { name: 'Negotiation/Review', probability: 90, forecast: 'Commit' },
]
const WON: Stage = { name: 'Closed Won', probability: 100, forecast: 'Closed' }
const LOST: Stage = { name: 'Closed Lost', probability: 0, forecast: 'Omitted' }

export const isWon = ({ opportunity }: Deal): boolean => opportunity.StageName === WON.name

export const isClosed = (deal: Deal): boolean => isWon(deal) || deal.opportunity.StageName === LOST.name

/** Nothing was ever sold to a prospect. */
function makeStage(random: Faker, account: Account): Stage {
  const open = { weight: 5, value: random.helpers.arrayElement(OPEN) }
  const lost = { weight: 2, value: LOST }
  const won = { weight: 5, value: WON }
  return random.helpers.weightedArrayElement(isCustomer(account) ? [open, lost, won] : [open, lost])
}

const makeCloseDate = (random: Faker, scene: Scene, stage: Stage) =>
  dayAfter(
    scene.today,
    OPEN.includes(stage)
      ? random.number.int({ min: 3, max: 180 })
      : -random.number.int({ min: 30, max: 540 }),
  )

function makeOpportunity(
  random: Faker,
  scene: Scene,
  account: Saved<Account>,
  sales: readonly Sale[],
  campaigns: readonly Saved<Campaign>[],
) {
  const stage = makeStage(random, account)
  const closeDate = makeCloseDate(random, scene, stage)
  const known = startedBy(dayAfter(closeDate, -30), campaigns)
  const campaign =
    known.length > 0 && random.datatype.boolean(0.3) ? random.helpers.arrayElement(known) : null
  const [first] = sales
  return draft('Opportunity', {
    Name: `${account.Name} - ${first!.offer.product.Name}`.slice(0, 120),
    AccountId: account.Id,
    Type: isCustomer(account) ? 'Existing Customer - Upgrade' : 'New Customer',
    LeadSource: scene.pick(random, 'Opportunity', 'LeadSource'),
    StageName: stage.name,
    Probability: stage.probability,
    ForecastCategoryName: stage.forecast as string,
    CloseDate: closeDate,
    Amount: sales.reduce((cents, sale) => cents + sale.totalCents, 0) / 100,
    TotalOpportunityQuantity: sales.reduce((sum, { quantity }) => sum + quantity, 0),
    NextStep: OPEN.includes(stage) ? random.helpers.arrayElement(['Call back', 'Send offer', 'Visit']) : null,
    Pricebook2Id: scene.pricebook,
    CampaignId: campaign?.Id ?? null,
    OwnerId: account.OwnerId,
  })
}

/** One to three for each company, about what is on offer. */
export const makeDeals = (
  random: Faker,
  scene: Scene,
  accounts: readonly Saved<Account>[],
  contacts: readonly Saved<Contact>[],
  offers: readonly Offer[],
  campaigns: readonly Saved<Campaign>[],
): Deal[] =>
  accounts.flatMap((account) => {
    const people = contacts.filter(({ AccountId }) => AccountId === account.Id)
    return Array.from({ length: random.number.int({ min: 1, max: 3 }) }, () => {
      const sales = makeSales(random, account, offers)
      const opportunity = makeOpportunity(random, scene, account, sales, campaigns)
      return { account, contacts: people, sales, opportunity }
    })
  })
