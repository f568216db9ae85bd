import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* The contacts of opportunities. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10' }

describe('an opportunity', () => {
  let o: TestOrg
  let ann: string
  let ben: string
  before(async () => {
    o = await openOrg()
    ann = await o.create('Contact', { LastName: 'Ann' })
    ben = await o.create('Contact', { LastName: 'Ben' })
  })
  const listPrimary = async (deal: string) => {
    const roles = await fetchRecords(
      o,
      `SELECT ContactId FROM OpportunityContactRole WHERE OpportunityId = '${deal}' AND IsPrimary = true`,
    )
    return roles.map(({ ContactId }) => ContactId)
  }

  test('created with a contact has it in the primary role', async () => {
    const deal = await o.create('Opportunity', { ...DEAL, ContactId: ann })
    assert.deepEqual(await listPrimary(deal), [ann])
    const answer = await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { ContactId: ben } })
    assert.equal(answer.body[0].errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
  })

  test('has one primary contact: a new one takes the place of the one before', async () => {
    const deal = await o.create('Opportunity', { ...DEAL, ContactId: ann })
    const role = await o.create('OpportunityContactRole', {
      OpportunityId: deal,
      ContactId: ben,
      IsPrimary: true,
    })
    assert.deepEqual(await listPrimary(deal), [ben])
    await assertValues(o, 'Opportunity', deal, { ContactId: ben })
    await o.create('OpportunityContactRole', { OpportunityId: deal, ContactId: ann })
    assert.deepEqual(await listPrimary(deal), [ben])
    assert.equal((await o.call('DELETE', `/sobjects/OpportunityContactRole/${role}`)).status, 204)
    await assertValues(o, 'Opportunity', deal, { ContactId: null })
    const [{ Id } = {}] = await fetchRecords(
      o,
      `SELECT Id FROM OpportunityContactRole WHERE OpportunityId = '${deal}' ORDER BY Id DESC LIMIT 1`,
    )
    await o.call('PATCH', `/sobjects/OpportunityContactRole/${Id}`, { body: { IsPrimary: true } })
    await assertValues(o, 'Opportunity', deal, { ContactId: ann })
  })

  test('has one primary contact also when several are set at once', async () => {
    const deal = await o.create('Opportunity', DEAL)
    const set = (ContactId: string) =>
      o.create('OpportunityContactRole', { OpportunityId: deal, ContactId, IsPrimary: true })
    await Promise.all([ann, ben, ann, ben].map(set))
    const primary = await listPrimary(deal)
    assert.equal(primary.length, 1)
    await assertValues(o, 'Opportunity', deal, { ContactId: primary[0] })
  })

  test('has no contact when that is deleted', async () => {
    const gone = await o.create('Contact', { LastName: 'Gone' })
    const deal = await o.create('Opportunity', { ...DEAL, ContactId: gone })
    assert.equal((await o.call('DELETE', `/sobjects/Contact/${gone}`)).status, 204)
    await assertValues(o, 'Opportunity', deal, { ContactId: null })
  })
})
