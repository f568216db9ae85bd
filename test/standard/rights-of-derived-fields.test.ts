import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords } from '../support/ask.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'

// docs/how-to/permissions.md#what-follows-from-other-fields

/** Fields that are hidden with another one. */
const HIDDEN_WITH: Readonly<Record<string, readonly string[]>> = {
  'Opportunity.Amount': [
    'Opportunity.ExpectedRevenue',
    'Opportunity.LastAmountChangedHistoryId',
    'OpportunityHistory.Amount',
    'OpportunityHistory.PrevAmount',
    'OpportunityHistory.ExpectedRevenue',
    'Campaign.AmountAllOpportunities',
    'Campaign.AmountWonOpportunities',
    'Campaign.HierarchyAmountAllOpportunities',
    'Campaign.HierarchyAmountWonOpportunities',
  ],
  'Opportunity.Probability': ['Opportunity.ExpectedRevenue', 'OpportunityHistory.ExpectedRevenue'],
  'Opportunity.ExpectedRevenue': ['OpportunityHistory.ExpectedRevenue'],
  'Opportunity.ForecastCategoryName': ['Opportunity.ForecastCategory', 'OpportunityHistory.ForecastCategory'],
  'Opportunity.AccountId': ['Quote.AccountId'],
  'Opportunity.SyncedQuoteId': ['Quote.IsSyncing'],
  'OpportunityLineItem.UnitPrice': ['OpportunityLineItem.Subtotal'],
  'QuoteLineItem.UnitPrice': [
    'QuoteLineItem.Subtotal',
    'QuoteLineItem.TotalPrice',
    'Quote.Subtotal',
    'Quote.TotalPrice',
    'Quote.Discount',
    'Quote.GrandTotal',
  ],
  'QuoteLineItem.Discount': ['QuoteLineItem.TotalPrice', 'Quote.TotalPrice', 'Quote.GrandTotal'],
  'Quote.Tax': ['Quote.GrandTotal'],
  'OrderItem.UnitPrice': ['OrderItem.TotalPrice', 'Order.TotalAmount'],
  'Contract.ContractTerm': ['Contract.EndDate'],
  'Campaign.BudgetedCost': ['Campaign.HierarchyBudgetedCost'],
  'Campaign.ExpectedRevenue': ['Campaign.HierarchyExpectedRevenue'],
  'CampaignMember.Status': ['CampaignMember.HasResponded', 'CampaignMember.FirstRespondedDate'],
  'Case.Status': ['Case.IsClosed', 'Case.ClosedDate', 'Case.IsClosedOnCreate'],
  'Case.ContactId': ['Case.ContactEmail', 'Case.ContactPhone', 'Case.ContactMobile', 'Case.ContactFax'],
  'Contact.Email': ['Case.ContactEmail'],
  'Contact.Phone': ['Case.ContactPhone'],
  'Contact.MobilePhone': ['Case.ContactMobile'],
  'Contact.Fax': ['Case.ContactFax'],
  'Contact.EmailBouncedDate': ['Contact.IsEmailBounced'],
  'Product2.ProductCode': [
    'PricebookEntry.ProductCode',
    'OpportunityLineItem.ProductCode',
    'Asset.ProductCode',
  ],
  'Event.EndDateTime': ['Event.EndDate'],
  'Task.WhatId': ['Task.AccountId'],
}

/** Further grants that make all of these visible. */
const ALSO = [
  'Quote.ShippingHandling',
  'Contract.StartDate',
  'Asset.Product2Id',
  'Event.WhatId',
  'Event.WhoId',
  'Task.WhoId',
  'CampaignMember.LeadId',
  'CampaignMember.ContactId',
  'Lead.Email',
]

let o: TestOrg
let reader: Person
const grants = new Map<string, string>()

const grant = async (field: string) => grants.set(field, await allowField(o, reader.setId, field))

async function revoke(field: string): Promise<void> {
  const { status } = await o.call('DELETE', `/sobjects/FieldPermissions/${grants.get(field)}`)
  assert.equal(status, 204)
}

/** Runs it while one of the fields is hidden. */
async function without(field: string, look: () => Promise<void>): Promise<void> {
  await revoke(field)
  await look()
  await grant(field)
}

before(async () => {
  o = await openOrg()
  const tracked = { trackHistory: true }
  await fetchSteps(o, { Opportunity: { ...tracked, fields: { ExpectedRevenue: tracked } } } as never, {
    mode: 'keep',
  })
  reader = await addPerson(o, 'reader')
  const sources = [...Object.keys(HIDDEN_WITH), ...ALSO]
  const objects = new Set(
    [...sources, ...Object.values(HIDDEN_WITH).flat()].map((field) => field.split('.')[0]!),
  )
  for (const object of [...objects, 'Account', 'Pricebook2', 'PricebookEntry'])
    if (object !== 'OpportunityHistory') await allow(o, reader.setId, object, 'Read', 'ViewAllRecords')
  for (const field of sources) await grant(field)
})

describe('a field that follows from others', () => {
  test('is visible where all of them are', async () => {
    for (const field of new Set(Object.values(HIDDEN_WITH).flat())) {
      const [object, name] = field.split('.')
      const answer = await ask(reader.org, `SELECT ${name} FROM ${object}`)
      assert.equal(answer.status, 200, `${field}: ${answer.text}`)
    }
  })

  for (const [source, hidden] of Object.entries(HIDDEN_WITH)) {
    test(`is hidden with ${source}: ${hidden.join(', ')}`, () =>
      without(source, async () => {
        for (const field of hidden) {
          const [object, name] = field.split('.')
          const { status, body } = await ask(reader.org, `SELECT ${name} FROM ${object}`)
          assert.deepEqual([status, body[0]?.errorCode], [400, 'INVALID_FIELD'], field)
        }
      }))
  }

  test('is hidden with the object of the others', async () => {
    const other = await addPerson(o, 'nocontacts')
    await allow(o, other.setId, 'Case', 'Read')
    await allowField(o, other.setId, 'Case.ContactId')
    assert.equal((await ask(other.org, 'SELECT ContactId FROM Case')).status, 200)
    assert.equal((await ask(other.org, 'SELECT ContactEmail FROM Case')).status, 400)
  })

  test('shows those that are visible when it is the first of several', async () => {
    const campaign = await o.create('Campaign', { Name: 'C' })
    const contact = await o.create('Contact', { LastName: 'C', Email: 'contact@example.com' })
    const lead = await o.create('Lead', { LastName: 'L', Company: 'L', Email: 'lead@example.com' })
    await o.create('CampaignMember', { CampaignId: campaign, ContactId: contact })
    await o.create('CampaignMember', { CampaignId: campaign, LeadId: lead })
    const emails = async () =>
      (await fetchRecords(reader.org, 'SELECT Email FROM CampaignMember ORDER BY Id')).map(
        ({ Email }) => Email,
      )
    assert.deepEqual(await emails(), ['contact@example.com', 'lead@example.com'])
    await without('Contact.Email', async () => {
      assert.deepEqual(await emails(), [null, 'lead@example.com'])
      const found = await fetchRecords(
        reader.org,
        "SELECT Id FROM CampaignMember WHERE Email = 'contact@example.com'",
      )
      assert.deepEqual(found, [])
    })
  })

  test('says in its describe that ExpectedRevenue is granted by itself, and the others are not', async () => {
    const { body } = await o.call('GET', '/sobjects/Opportunity/describe')
    const find = (name: string) => body.fields.find((field: { name: string }) => field.name === name)
    assert.deepEqual(
      ['ExpectedRevenue', 'ForecastCategory'].map((name) => find(name).permissionable),
      [true, false],
    )
    await without('Opportunity.ExpectedRevenue', async () => {
      assert.equal((await ask(reader.org, 'SELECT ExpectedRevenue FROM Opportunity')).status, 400)
    })
  })

  test('is not nillable where a stage always gives it', async () => {
    const { body } = await o.call('GET', '/sobjects/Opportunity/describe')
    const nillable = new Map(
      body.fields.map((one: { name: string; nillable: boolean }) => [one.name, one.nillable]),
    )
    assert.deepEqual(
      ['ForecastCategory', 'ForecastCategoryName', 'StageName'].map((name) => nillable.get(name)),
      [false, true, false],
    )
    const fields = {
      Name: 'F',
      StageName: 'Prospecting',
      CloseDate: '2026-01-31',
      ForecastCategoryName: null,
    }
    const id = await o.create('Opportunity', fields)
    await o.call('PATCH', `/sobjects/Opportunity/${id}`, { body: { ForecastCategoryName: null } })
    const { body: read } = await o.call('GET', `/sobjects/Opportunity/${id}?fields=ForecastCategory`)
    assert.equal(read.ForecastCategory, 'Pipeline')
  })

  test('has no changes in a history for those who do not see it', async () => {
    const id = await o.create('Opportunity', {
      Name: 'O',
      StageName: 'Prospecting',
      CloseDate: '2026-01-31',
      Amount: 4242,
    })
    const text = `SELECT FIELDS(ALL) FROM OpportunityHistory WHERE OpportunityId = '${id}' LIMIT 5`
    const answer = await ask(reader.org, text)
    assert.match(answer.text, /4242/)
    assert.match(answer.text, /"ExpectedRevenue"/)
    const changes = async () =>
      (
        await fetchRecords(
          reader.org,
          `SELECT Field FROM OpportunityFieldHistory WHERE OpportunityId = '${id}'`,
        )
      ).map(({ Field }) => Field)
    await o.call('PATCH', `/sobjects/Opportunity/${id}`, { body: { Amount: 5000 } })
    assert.deepEqual(await changes(), ['created', 'ExpectedRevenue'])
    await without('Opportunity.Amount', async () => {
      assert.deepEqual(await changes(), ['created'])
      const { status, text: shown } = await ask(reader.org, text)
      assert.equal(status, 200, shown)
      assert.doesNotMatch(shown, /4242|ExpectedRevenue|424\.2/)
    })
  })
})
