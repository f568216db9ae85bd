import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Values of campaigns that follow from those below them. */

describe('the hierarchy figures of a campaign', () => {
  let o: TestOrg
  let top: string
  let middle: string
  let low: string
  before(async () => {
    o = await openOrg()
    top = await o.create('Campaign', { Name: 'Top', ActualCost: 100, NumberSent: 5 })
    middle = await o.create('Campaign', { Name: 'Middle', ParentId: top, BudgetedCost: 20 })
    low = await o.create('Campaign', { Name: 'Low', ParentId: middle, ActualCost: 7, ExpectedRevenue: 9 })
    await o.create('Campaign', { Name: 'Other', ActualCost: 1000 })
  })

  test('are the sums over it and all below it', async () => {
    const LeadId = await o.create('Lead', { LastName: 'L', Company: 'C' })
    const ContactId = await o.create('Contact', { LastName: 'C' })
    await o.create('CampaignMember', { CampaignId: low, LeadId, Status: 'Responded' })
    await o.create('CampaignMember', { CampaignId: middle, LeadId })
    await o.create('CampaignMember', { CampaignId: top, ContactId })
    const deal = { Name: 'D', CloseDate: '2026-05-10', Amount: 50 }
    await o.create('Opportunity', { ...deal, StageName: 'Closed Won', CampaignId: low })
    await o.create('Opportunity', { ...deal, StageName: 'Prospecting', CampaignId: top })
    await assertValues(o, 'Campaign', top, {
      HierarchyNumberOfLeads: 2,
      HierarchyNumberOfConvertedLeads: 0,
      HierarchyNumberOfContacts: 1,
      HierarchyNumberOfResponses: 1,
      HierarchyNumberOfOpportunities: 2,
      HierarchyNumberOfWonOpportunities: 1,
      HierarchyAmountAllOpportunities: 100,
      HierarchyAmountWonOpportunities: 50,
      HierarchyExpectedRevenue: 9,
      HierarchyBudgetedCost: 20,
      HierarchyActualCost: 107,
      HierarchyNumberSent: 5,
    })
    await assertValues(o, 'Campaign', low, {
      HierarchyNumberOfLeads: 1,
      HierarchyActualCost: 7,
      HierarchyBudgetedCost: null,
    })
  })

  test('are read, filtered, sorted and grouped like others', async () => {
    const { body } = await o.call('GET', `/sobjects/Campaign/${middle}`)
    assert.deepEqual([body.HierarchyActualCost, body.HierarchyNumberOfLeads], [7, 2])
    const found = await fetchRecords(
      o,
      'SELECT Name, Parent.HierarchyActualCost FROM Campaign WHERE HierarchyActualCost > 6 ORDER BY HierarchyActualCost DESC, Name',
    )
    assert.deepEqual(
      found.map(({ Name }) => Name),
      ['Other', 'Top', 'Low', 'Middle'],
    )
    assert.equal((found[3]!.Parent as { HierarchyActualCost: number }).HierarchyActualCost, 107)
    const [sum] = await fetchRecords(o, `SELECT SUM(HierarchyNumberSent) n FROM Campaign WHERE Id = '${top}'`)
    assert.equal(sum!.n, 5)
  })

  test('follow what is deleted and moved, and cannot be written', async () => {
    const parent = await o.create('Campaign', { Name: 'P', NumberSent: 1 })
    const child = await o.create('Campaign', { Name: 'K', NumberSent: 2, ParentId: parent })
    await assertValues(o, 'Campaign', parent, { HierarchyNumberSent: 3 })
    await o.call('PATCH', `/sobjects/Campaign/${child}`, { body: { ParentId: null } })
    await assertValues(o, 'Campaign', parent, { HierarchyNumberSent: 1 })
    await o.call('PATCH', `/sobjects/Campaign/${child}`, { body: { ParentId: parent } })
    await o.call('DELETE', `/sobjects/Campaign/${child}`)
    await assertValues(o, 'Campaign', parent, { HierarchyNumberSent: 1 })
    const answer = await o.call('PATCH', `/sobjects/Campaign/${parent}`, { body: { HierarchyNumberSent: 4 } })
    assert.equal(answer.body[0].errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
  })
})

test('a campaign names the record type of its members', async () => {
  const o = await openOrg()
  const { body } = await o.call('GET', '/sobjects/Campaign/describe')
  const field = body.fields.find(({ name }: { name: string }) => name === 'CampaignMemberRecordTypeId')
  assert.deepEqual([field.referenceTo, field.createable, field.updateable], [['RecordType'], true, true])

  assert.equal(field.nillable, true)

  const add = (SobjectType: string, DeveloperName = SobjectType) =>
    o.create('RecordType', { Name: DeveloperName, DeveloperName, SobjectType })
  const [own, other] = [await add('CampaignMember'), await add('Campaign')]
  const inactive = await add('CampaignMember', 'Old')
  await o.call('PATCH', `/sobjects/RecordType/${inactive}`, { body: { IsActive: false } })
  const id = await o.create('Campaign', { Name: 'C', CampaignMemberRecordTypeId: own })
  const change = (value: string | null) =>
    o.call('PATCH', `/sobjects/Campaign/${id}`, { body: { CampaignMemberRecordTypeId: value } })
  for (const type of [other, inactive]) {
    const { status, body: refused } = await change(type)
    assert.deepEqual(
      [status, refused[0].errorCode, refused[0].fields],
      [400, 'INVALID_CROSS_REFERENCE_KEY', ['CampaignMemberRecordTypeId']],
    )
  }
  assert.equal((await change(null)).status, 204)
  assert.equal((await change(own)).status, 204)
})
