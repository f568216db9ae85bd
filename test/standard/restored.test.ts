import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering } from '../support/find-differing.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Values that the platform derives of records that come back from the recycle bin. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-01' }

describe('records that come back', () => {
  let o: TestOrg
  before(async () => {
    const triggers = await triggersFrom({
      'note.ts': `export default {
        object: 'Pricebook2',
        async beforeInsert(changes: any[], org: any) {
          await org.undelete(changes[0].record.Name, [changes[0].record.Description])
        },
      }`,
    })
    o = await openOrg({ triggers })
  })

  const goAndComeBack = async (object: string, id: string) => {
    assert.equal((await o.call('DELETE', `/sobjects/${object}/${id}`)).status, 204)
    await o.create('Pricebook2', { Name: object, Description: id })
  }

  test('have the derived references to what was deleted with them', async () => {
    const account = await o.create('Account', { Name: 'Acme' })
    const deal = await o.create('Opportunity', { ...DEAL, AccountId: account })
    const quote = await o.create('Quote', { Name: 'Q', OpportunityId: deal })
    const StartDateTime = '2026-05-03T10:00:00Z'
    const event = await o.create('Event', { StartDateTime, DurationInMinutes: 5, WhatId: account })
    const task = await o.create('Task', { WhatId: deal })
    await goAndComeBack('Account', account)
    await assertValues(o, 'Quote', quote, { AccountId: account })
    await assertValues(o, 'Event', event, { AccountId: account })
    await assertValues(o, 'Task', task, { AccountId: account })
    await assertValues(o, 'Account', account, { LastActivityDate: '2026-05-03' })

    const campaign = await o.create('Campaign', { Name: 'C' })
    const lead = await o.create('Lead', { LastName: 'Lee', Company: 'Acme' })
    const member = await o.create('CampaignMember', { CampaignId: campaign, LeadId: lead })
    await goAndComeBack('Lead', lead)
    await assertValues(o, 'CampaignMember', member, { LeadOrContactId: lead })
    assert.deepEqual(await findDiffering(o), [])
  })

  test('add up only what still refers to them', async () => {
    const campaign = await o.create('Campaign', { Name: 'C' })
    await o.create('Opportunity', { ...DEAL, CampaignId: campaign, Amount: 5 })
    await assertValues(o, 'Campaign', campaign, { NumberOfOpportunities: 1, AmountAllOpportunities: 5 })
    await goAndComeBack('Campaign', campaign)
    await assertValues(o, 'Campaign', campaign, { NumberOfOpportunities: 0, AmountAllOpportunities: 0 })

    const contact = await o.create('Contact', { LastName: 'Lee' })
    await o.create('Task', { WhoId: contact, Status: 'Completed', ActivityDate: '2026-05-01' })
    await assertValues(o, 'Contact', contact, { LastActivityDate: '2026-05-01' })
    await goAndComeBack('Contact', contact)
    await assertValues(o, 'Contact', contact, { LastActivityDate: null })
    assert.deepEqual(await findDiffering(o), [])
  })

  test('are the primary contact again of an opportunity, which has one at most', async () => {
    const [first, second] = [
      await o.create('Contact', { LastName: 'Lee' }),
      await o.create('Contact', { LastName: 'Kim' }),
    ]
    const deal = await o.create('Opportunity', { ...DEAL, ContactId: first })
    await goAndComeBack('Contact', first)
    await assertValues(o, 'Opportunity', deal, { ContactId: first })
    assert.equal((await o.call('DELETE', `/sobjects/Contact/${first}`)).status, 204)
    await o.create('OpportunityContactRole', { OpportunityId: deal, ContactId: second, IsPrimary: true })
    await o.create('Pricebook2', { Name: 'Contact', Description: first })
    const primary = `SELECT ContactId FROM OpportunityContactRole WHERE OpportunityId = '${deal}' AND IsPrimary = true`
    assert.deepEqual(await fetchRecords(o, primary), [{ ContactId: second }])
    await assertValues(o, 'Opportunity', deal, { ContactId: second })
  })
})
