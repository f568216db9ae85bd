import type { KilledServer } from '../../support/killed-server.ts'
import { changeOwn, type DerivationLoad, type Own, pick } from './derivation-load.ts'

/** The records that all writers share: few, so that they meet. */
interface Shared {
  readonly accounts: readonly string[]
  readonly contacts: readonly string[]
  readonly campaigns: readonly string[]
  readonly deals: readonly string[]
  readonly entry: string
  readonly product: string
}

async function makeShared(server: KilledServer): Promise<Shared> {
  const [book] = await server.query('SELECT Id FROM Pricebook2 WHERE IsStandard = true')
  await server.call('PATCH', `/sobjects/Pricebook2/${book!.Id}`, { IsActive: true })
  const product = await server.create('Product2', { Name: 'P', IsActive: true })
  const price = { Pricebook2Id: book!.Id, Product2Id: product, UnitPrice: 3, IsActive: true }
  const entry = await server.create('PricebookEntry', price)
  const accounts = [
    await server.create('Account', { Name: 'A' }),
    await server.create('Account', { Name: 'B' }),
  ]
  const contacts: string[] = []
  const deals: string[] = []
  const campaigns: string[] = []
  for (const AccountId of accounts) {
    contacts.push(await server.create('Contact', { LastName: 'C', AccountId }))
    campaigns.push(await server.create('Campaign', { Name: 'M' }))
    const deal = { Name: 'D', StageName: 'Prospecting', CloseDate: '2026-05-10', AccountId }
    deals.push(await server.create('Opportunity', deal), await server.create('Opportunity', deal))
  }
  return { accounts, contacts, campaigns, deals, entry, product }
}

const count = () => 1 + Math.floor(Math.random() * 9)
const day = () => `2026-0${count()}-1${count()}`

/** A random write: of a new record, or of one that the writer made. */
function chooseWrite(shared: Shared, own: Own) {
  const about = () => ({
    WhatId: pick([...shared.deals, ...shared.accounts, null]),
    WhoId: pick(shared.contacts),
  })
  const change = (object: string, body: object | undefined) => changeOwn(own, object, body)
  const add = (object: string, body: object) => ({ method: 'POST', object, path: '', body })
  const choices = [
    () =>
      add('OpportunityLineItem', {
        OpportunityId: pick(shared.deals),
        PricebookEntryId: shared.entry,
        Quantity: count(),
      }),
    () => change('OpportunityLineItem', { UnitPrice: count() }),
    () => change('OpportunityLineItem', undefined),
    () =>
      add('Task', {
        Subject: 'T',
        ...about(),
        ActivityDate: day(),
        Status: pick(['Completed', 'Not Started']),
      }),
    () => change('Task', { Status: pick(['Completed', 'Not Started']), ...pick([{}, about()]) }),
    () => change('Task', undefined),
    () =>
      add('Event', { Subject: 'E', ...about(), StartDateTime: `${day()}T10:00:00Z`, DurationInMinutes: 30 }),
    () => add('Quote', { Name: 'Q', OpportunityId: pick(shared.deals), Tax: count() }),
    () => ({
      method: 'PATCH',
      object: 'Opportunity',
      path: `/${pick(shared.deals)}`,
      body: { Name: `D ${count()}`, AccountId: pick(shared.accounts) },
    }),
    () => ({
      method: 'PATCH',
      object: 'Product2',
      path: `/${shared.product}`,
      body: { Name: `P ${count()}`, ProductCode: `${count()}` },
    }),
    () => ({
      method: 'PATCH',
      object: 'Opportunity',
      path: `/${pick(shared.deals)}`,
      body: {
        StageName: pick(['Prospecting', 'Closed Won', 'Closed Lost']),
        CampaignId: pick(shared.campaigns),
      },
    }),
  ]
  return pick(choices)()
}

/** Sixteen clients that write lines, activities and opportunities of the same few parents. */
export const STANDARD_OBJECTS: DerivationLoad<Shared> = {
  clients: 16,
  makeShared,
  own: ['OpportunityLineItem', 'Task'],
  chooseWrite,
}
