import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { fetchRecords } from '../support/ask.ts'
import { findDiffering } from '../support/find-differing.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/*
 * After any writes, deletions and restorations, several at once, opportunities and campaigns have of their lines, members,
 * opportunities and activities exactly what adding these up gives.
 */

const RUNS = runs(5)

const STAGES = ['Prospecting', 'Negotiation/Review', 'Closed Won', 'Closed Lost']

/** An operation, and the record among those that there are by then. */
const OPERATION = fc.record({
  kind: fc.constantFrom(
    ...(['addDeal', 'addLine', 'addLine', 'addMember', 'changeLine', 'changeStage', 'moveDeal'] as const),
    ...(['respond', 'deleteLine', 'deleteDeal', 'restoreDeal', 'deleteMember'] as const),
    ...(['addTask', 'addTask', 'addEvent', 'closeTask', 'moveActivity', 'deleteActivity'] as const),
  ),
  index: fc.nat(50),
  other: fc.nat(50),
  value: fc.integer({ min: 1, max: 9 }),
})

type Operation = typeof OPERATION extends fc.Arbitrary<infer T> ? T : never

/** Operations of a group are sent at once. */
const GROUPS = fc.array(fc.array(OPERATION, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 })

let o: TestOrg
let entry: string

before(async () => {
  const triggers = await triggersFrom({
    'restore.ts': `export default {
      object: 'Pricebook2',
      async beforeInsert(changes: any[], org: any) {
        await org.undelete('Opportunity', [changes[0].record.Name], { allOrNone: false })
      },
    }`,
  })
  o = await openOrg({ triggers })
  const [{ Id: book } = {}] = await fetchRecords(o, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true')
  await o.call('PATCH', `/sobjects/Pricebook2/${book}`, { body: { IsActive: true } })
  const product = await o.create('Product2', { Name: 'P' })
  entry = await o.create('PricebookEntry', {
    Pricebook2Id: book,
    Product2Id: product,
    UnitPrice: 3,
    IsActive: true,
  })
})

/** The records of one run, also those that are deleted by now. */
class Model {
  readonly deals: string[] = []
  readonly lines: string[] = []
  readonly members: string[] = []
  readonly tasks: string[] = []
  readonly events: string[] = []
  readonly campaigns: readonly string[]

  constructor(campaigns: readonly string[]) {
    this.campaigns = campaigns
  }

  async #add(list: string[], object: string, fields: object): Promise<void> {
    const { status, body, text } = await o.call('POST', `/sobjects/${object}`, { body: fields })
    assert.ok(status < 500 && !text.includes('UNABLE_TO_LOCK_ROW'), text)
    if (status === 201) list.push(body.id)
  }

  async #send(method: string, object: string, id: string | undefined, body?: object): Promise<void> {
    if (id === undefined) return
    const { status, text } = await o.call(method, `/sobjects/${object}/${id}`, body && { body })
    assert.ok(status < 500 && !text.includes('UNABLE_TO_LOCK_ROW'), text)
  }

  async run({ kind, index, other, value }: Operation): Promise<void> {
    const pick = (list: readonly string[], at: number) => list[at % Math.max(list.length, 1)]
    const deal = pick(this.deals, index)
    const campaign = pick(this.campaigns, other)
    switch (kind) {
      case 'addDeal':
        return this.#add(this.deals, 'Opportunity', {
          Name: 'D',
          CloseDate: '2026-05-10',
          StageName: STAGES[value % STAGES.length],
          Amount: value * 10,
          CampaignId: campaign,
        })
      case 'addLine':
        if (deal === undefined) return
        return this.#add(this.lines, 'OpportunityLineItem', {
          OpportunityId: deal,
          PricebookEntryId: entry,
          Quantity: value,
        })
      case 'addMember': {
        const person = await o.create('Lead', { LastName: 'L', Company: 'C' })
        return this.#add(this.members, 'CampaignMember', { CampaignId: campaign, LeadId: person })
      }
      case 'changeLine':
        return this.#send('PATCH', 'OpportunityLineItem', pick(this.lines, index), { UnitPrice: value })
      case 'changeStage':
        return this.#send('PATCH', 'Opportunity', deal, { StageName: STAGES[value % STAGES.length] })
      case 'moveDeal':
        return this.#send('PATCH', 'Opportunity', deal, { CampaignId: campaign })
      case 'respond':
        return this.#send('PATCH', 'CampaignMember', pick(this.members, index), {
          Status: value > 4 ? 'Responded' : 'Sent',
        })
      case 'deleteLine':
        return this.#send('DELETE', 'OpportunityLineItem', pick(this.lines, index))
      case 'deleteDeal':
        return this.#send('DELETE', 'Opportunity', deal)
      case 'restoreDeal':
        if (deal !== undefined) await o.create('Pricebook2', { Name: deal })
        return
      case 'addTask':
        return this.#add(this.tasks, 'Task', {
          WhatId: deal ?? campaign,
          ActivityDate: dayOf(value),
          Status: value > 4 ? 'Completed' : 'Not Started',
        })
      case 'addEvent':
        return this.#add(this.events, 'Event', {
          WhatId: value > 4 ? campaign : deal,
          StartDateTime: `${dayOf(value)}T10:00:00Z`,
          DurationInMinutes: 30,
        })
      case 'closeTask':
        return this.#send('PATCH', 'Task', pick(this.tasks, index), {
          Status: value > 4 ? 'Completed' : 'Not Started',
          ActivityDate: dayOf(value),
        })
      case 'moveActivity':
        return other % 2 === 0
          ? this.#send('PATCH', 'Task', pick(this.tasks, index), { WhatId: value > 4 ? campaign : deal })
          : this.#send('PATCH', 'Event', pick(this.events, index), { WhatId: deal ?? null })
      case 'deleteActivity':
        return other % 2 === 0
          ? this.#send('DELETE', 'Task', pick(this.tasks, index))
          : this.#send('DELETE', 'Event', pick(this.events, index))
      case 'deleteMember':
        return this.#send('DELETE', 'CampaignMember', pick(this.members, index))
    }
  }
}

const dayOf = (value: number) => `2026-05-0${value}`

type Row = Readonly<Record<string, unknown>>

const sum = (rows: readonly Row[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name] ?? 0), 0)

/** The last activity of each of these records is that of the activities about it. */
async function checkActivities(object: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const listed = ids.map((id) => `'${id}'`).join()
  const tasks = `SELECT WhatId, ActivityDate FROM Task WHERE IsClosed = true AND WhatId IN (${listed})`
  const events = `SELECT WhatId, ActivityDate FROM Event WHERE WhatId IN (${listed})`
  const found = [...(await fetchRecords(o, tasks)), ...(await fetchRecords(o, events))]
  const query = `SELECT Id, LastActivityDate FROM ${object} WHERE Id IN (${listed})`
  for (const { Id, LastActivityDate } of await fetchRecords(o, query)) {
    const days = found.filter(({ WhatId }) => WhatId === Id).map(({ ActivityDate }) => String(ActivityDate))
    assert.equal(LastActivityDate, days.sort().at(-1) ?? null)
  }
}

async function check({ campaigns, deals: made }: Model): Promise<void> {
  await checkActivities('Campaign', campaigns)
  await checkActivities('Opportunity', made)
  const listed = campaigns.map((id) => `'${id}'`).join()
  const deals = await fetchRecords(
    o,
    `SELECT Id, Amount, Probability, ExpectedRevenue, HasOpportunityLineItem, TotalOpportunityQuantity, CampaignId, StageName
     FROM Opportunity WHERE CampaignId IN (${listed})`,
  )
  const lines = await fetchRecords(
    o,
    `SELECT OpportunityId, TotalPrice, UnitPrice, Quantity FROM OpportunityLineItem
     WHERE Opportunity.CampaignId IN (${listed})`,
  )
  for (const line of lines) assert.equal(line.TotalPrice, Number(line.UnitPrice) * Number(line.Quantity))
  for (const deal of deals) {
    const own = lines.filter(({ OpportunityId }) => OpportunityId === deal.Id)
    assert.equal(deal.HasOpportunityLineItem, own.length > 0)
    assert.equal(deal.ExpectedRevenue, (Number(deal.Amount) * Number(deal.Probability)) / 100)
    if (own.length === 0) continue
    assert.deepEqual(
      [deal.Amount, deal.TotalOpportunityQuantity],
      [sum(own, 'TotalPrice'), sum(own, 'Quantity')],
    )
  }
  const members = await fetchRecords(
    o,
    `SELECT CampaignId, Status FROM CampaignMember WHERE CampaignId IN (${listed})`,
  )
  const stored = await fetchRecords(
    o,
    `SELECT Id, NumberOfLeads, NumberOfResponses, NumberOfOpportunities, NumberOfWonOpportunities,
       AmountAllOpportunities, AmountWonOpportunities FROM Campaign WHERE Id IN (${listed})`,
  )
  for (const { Id, ...values } of stored) {
    const people = members.filter(({ CampaignId }) => CampaignId === Id)
    const own = deals.filter(({ CampaignId }) => CampaignId === Id)
    const won = own.filter(({ StageName }) => StageName === 'Closed Won')
    assert.deepEqual(values, {
      NumberOfLeads: people.length,
      NumberOfResponses: people.filter(({ Status }) => Status === 'Responded').length,
      NumberOfOpportunities: own.length,
      NumberOfWonOpportunities: won.length,
      AmountAllOpportunities: sum(own, 'Amount'),
      AmountWonOpportunities: sum(won, 'Amount'),
    })
  }
}

test('parents have what adding up their children gives, whatever was written at once', async () => {
  await fc.assert(
    fc.asyncProperty(GROUPS, async (groups) => {
      const model = new Model([
        await o.create('Campaign', { Name: 'A' }),
        await o.create('Campaign', { Name: 'B' }),
      ])
      for (const group of groups) {
        await Promise.all(group.map((operation) => model.run(operation)))
        await check(model)
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  assert.deepEqual(await findDiffering(o), [])
})
