import { makeAccounts } from './accounts.ts'
import { makeAssets } from './assets.ts'
import { makeCampaignMembers } from './campaign-members.ts'
import { makeCaseComments } from './case-comments.ts'
import { makeCases } from './cases.ts'
import { makeContacts } from './contacts.ts'
import { activateContracts, makeContracts } from './contracts.ts'
import { isWon, makeDeals, type SavedDeal } from './deals.ts'
import { makeEvents } from './events.ts'
import { makeLeads } from './leads.ts'
import { makeOpportunityContactRoles } from './opportunity-contact-roles.ts'
import { makeOpportunityLineItems } from './opportunity-line-items.ts'
import { activateOrders, makeOrderItems, makeOrders, type Ordered } from './orders.ts'
import { makeQuoteLineItems, makeQuotes, quotedDeals } from './quotes.ts'
import type { RecordWriter } from './record-writer.ts'
import type { Scene } from './scene.ts'
import type { Sow } from './sow.ts'
import { makeTasks } from './tasks.ts'
import type { Catalog } from './write-catalog.ts'

/** Some companies of all, from `first` on. */
export interface Share {
  readonly number: number
  readonly first: number
  readonly count: number
}

/** Where the sample records are written, and what they have in common. */
export interface Environment {
  readonly writer: RecordWriter
  readonly scene: Scene
  readonly sow: Sow
  readonly catalog: Catalog
}

/** Of won deals one in so many leads to a contract. */
const CONTRACT_AT = 3

/** Won deals become orders, some after a contract; quotes were accepted before. */
async function writeOrders(
  { writer, sow }: Environment,
  share: number,
  deals: readonly SavedDeal[],
): Promise<Ordered[]> {
  const quoted = quotedDeals(deals)
  const quotes = await writer.write(makeQuotes(quoted))
  await writer.write(makeQuoteLineItems(quoted, quotes))
  const won = deals.filter(isWon)
  const large = won.filter((_, at) => at % CONTRACT_AT === 0)
  const contracts = await writer.write(makeContracts(sow('contracts', share), large))
  await writer.change(activateContracts(contracts))
  const agreed = won.map((deal) => ({
    deal,
    quoteId: quotes[quoted.indexOf(deal)]!.Id,
    contractId: contracts[large.indexOf(deal)]?.Id ?? null,
  }))
  const orders = await writer.write(makeOrders(sow('orders', share), agreed))
  const ordered = agreed.map((one, at) => ({ ...one, order: orders[at]! }))
  await writer.write(makeOrderItems(ordered))
  await writer.change(activateOrders(ordered))
  return ordered
}

/** Some companies with everything about them. No more is held than one share. */
export async function writeShare(environment: Environment, { number, first, count }: Share): Promise<void> {
  const { writer, scene, sow, catalog } = environment
  const { offers, campaigns } = catalog
  const accounts = await writer.write(makeAccounts(sow('accounts', number), scene, first, count))
  const contacts = await writer.write(makeContacts(sow('contacts', number), scene, accounts))
  const leads = await writer.write(makeLeads(sow('leads', number), scene, count * 2))
  await writer.write(makeCampaignMembers(sow('members', number), scene, campaigns, leads, contacts))
  const drafts = makeDeals(sow('deals', number), scene, accounts, contacts, offers, campaigns)
  const opportunities = await writer.write(drafts.map(({ opportunity }) => opportunity))
  const deals = drafts.map((deal, at) => ({ ...deal, opportunity: opportunities[at]! }))
  await writer.write(makeOpportunityLineItems(deals))
  await writer.write(makeOpportunityContactRoles(sow('roles', number), scene, deals))
  const orders = await writeOrders(environment, number, deals)
  const assets = await writer.write(makeAssets(sow('assets', number), orders))
  const cases = await writer.write(makeCases(sow('cases', number), scene, assets))
  await writer.write(makeCaseComments(sow('comments', number), cases))
  await writer.write(makeTasks(sow('tasks', number), scene, deals, leads))
  await writer.write(makeEvents(sow('events', number), scene, deals))
}
