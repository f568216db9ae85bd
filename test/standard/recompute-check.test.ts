import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering, sendRecompute } from '../support/find-differing.ts'
import { openOrg } from '../support/org.ts'
import { addPrices } from '../support/prices.ts'

/* Values of records, compared with those that the platform derives. */

describe('a comparison of stored with computed values', () => {
  test('finds no difference after writes of every kind, and each value that is changed behind them', async () => {
    const o = await openOrg()
    const { entry } = await addPrices(o)
    const campaign = await o.create('Campaign', { Name: 'C' })
    const deal = await o.create('Opportunity', {
      Name: 'D',
      CloseDate: '2026-05-10',
      StageName: 'Closed Won',
      CampaignId: campaign,
    })
    const line = await o.create('OpportunityLineItem', {
      OpportunityId: deal,
      PricebookEntryId: entry,
      Quantity: 2,
    })
    const plain = await o.create('Opportunity', {
      Name: 'P',
      CloseDate: '2026-05-10',
      StageName: 'Prospecting',
      Amount: 7,
    })
    await o.create('Case', { Status: 'Closed' })
    const gone = await o.create('Task', { Status: 'Completed' })
    await o.call('DELETE', `/sobjects/Task/${gone}`)
    assert.deepEqual(await findDiffering(o), [])

    const set = (table: string, values: string, id: string) =>
      o.db.query(sql`update ${sql.id(o.org.schemaName, table)} set ${sql.raw(values)} where id = ${id}`)
    await set('opportunity', "iswon = false, amount = 5, fiscal = 'x'", deal)
    await set('opportunitylineitem', 'subtotal = 1', line)
    await set('campaign', 'numberofopportunities = 9', campaign)
    // Objects that others derive from come first.
    assert.deepEqual(await findDiffering(o), ['OpportunityLineItem', 'Opportunity', 'Campaign'])
    const { differing, records, refused } = await sendRecompute(o, 'Opportunity', { check: true })
    assert.deepEqual([records, refused], [2, []])
    assert.deepEqual(
      differing.map(({ id, fields }: { id: string; fields: string[] }) => [id, fields.sort()]),
      [[deal, ['Amount', 'ExpectedRevenue', 'Fiscal', 'IsWon']]],
    )
    await assertValues(o, 'Opportunity', deal, { Amount: 5, Fiscal: 'x' })

    for (const object of ['OpportunityLineItem', 'Opportunity', 'Campaign']) await sendRecompute(o, object)
    assert.deepEqual(await findDiffering(o), [])
    await assertValues(o, 'Opportunity', deal, { Amount: 200, ExpectedRevenue: 200, IsWon: true })
    await assertValues(o, 'Opportunity', plain, { Amount: 7 })
  })

  test('tells which records contradict themselves, and changes none', async () => {
    const o = await openOrg()
    const { entry } = await addPrices(o)
    const deal = await o.create('Opportunity', {
      Name: 'D',
      CloseDate: '2026-05-10',
      StageName: 'Prospecting',
    })
    const line = await o.create('OpportunityLineItem', {
      OpportunityId: deal,
      PricebookEntryId: entry,
      Quantity: 2,
    })
    await o.db.query(
      sql`update ${sql.id(o.org.schemaName, 'opportunitylineitem')} set quantity = 0 where id = ${line}`,
    )
    const checked = await sendRecompute(o, 'OpportunityLineItem', { check: true })
    assert.deepEqual(checked.refused, [{ id: line, message: 'Quantity must be nonzero' }])
  })
})
