import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering } from '../support/find-differing.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices, type Prices } from '../support/prices.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Fields that have what other records have, when those change afterwards. */

let o: TestOrg
let prices: Prices

/** How far the clock is ahead, in milliseconds. */
let ahead = 0

before(async () => {
  const triggers = await triggersFrom({
    'note.ts': `export default {
      object: 'Note',
      async beforeInsert(changes: any[], org: any) {
        await org.undelete('Opportunity', [changes[0].record.Title])
      },
    }`,
  })
  o = await openOrg({ triggers, clock: () => new Date(Date.now() + ahead) })
  prices = await addPrices(o)
})

const change = async (object: string, id: string, body: object) => {
  const { status, text } = await o.call('PATCH', `/sobjects/${object}/${id}`, { body })
  assert.equal(status, 204, text)
}

const addDeal = (more: object = {}) =>
  o.create('Opportunity', {
    Name: 'Barn',
    StageName: 'Prospecting',
    CloseDate: '2026-05-10',
    Pricebook2Id: prices.book,
    ...more,
  })

const addLine = (deal: string, more: object = {}) =>
  o.create('OpportunityLineItem', {
    OpportunityId: deal,
    PricebookEntryId: prices.entry,
    Quantity: 1,
    ...more,
  })

describe('a copy of what another record has', () => {
  test('is the account of the opportunity on each quote, the synced one too, whose lines stay as they are', async () => {
    const [one, other] = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    const deal = await addDeal({ AccountId: one })
    const quotes = [
      await o.create('Quote', { Name: 'Q', OpportunityId: deal }),
      await o.create('Quote', { Name: 'R', OpportunityId: deal }),
    ]
    await o.create('QuoteLineItem', {
      QuoteId: quotes[0],
      PricebookEntryId: prices.entry,
      Quantity: 2,
      UnitPrice: 5,
    })
    await change('Opportunity', deal, { SyncedQuoteId: quotes[0] })
    const lines = () =>
      fetchRecords(o, `SELECT Id, SystemModstamp FROM OpportunityLineItem WHERE OpportunityId = '${deal}'`)
    const before = await lines()
    await change('Opportunity', deal, { AccountId: other })
    for (const quote of quotes) await assertValues(o, 'Quote', quote, { AccountId: other })
    assert.deepEqual(await lines(), before)
    await change('Opportunity', deal, { AccountId: null })
    for (const quote of quotes) await assertValues(o, 'Quote', quote, { AccountId: null })
    assert.deepEqual(await findDiffering(o), [])
  })

  test('is the name of an opportunity and of a product, and its code, on lines and entries', async () => {
    const own = await addPrices(o, 'Door')
    const deal = await addDeal({ Pricebook2Id: own.book })
    const line = await addLine(deal, { PricebookEntryId: own.entry })
    await assertValues(o, 'OpportunityLineItem', line, { Name: 'Barn Door', ProductCode: 'Door-1' })
    await change('Opportunity', deal, { Name: 'House' })
    await assertValues(o, 'OpportunityLineItem', line, { Name: 'House Door' })
    await change('Product2', own.product, { Name: 'Gate', ProductCode: 'G' })
    await assertValues(o, 'PricebookEntry', own.entry, { Name: 'Gate', ProductCode: 'G' })
    await assertValues(o, 'OpportunityLineItem', line, { Name: 'House Gate', ProductCode: 'G' })
    assert.deepEqual(await findDiffering(o), [])
  })

  test('has what two records are called that are renamed at once', async () => {
    const own = await addPrices(o, 'Gutter')
    const deal = await addDeal({ Pricebook2Id: own.book })
    const lines = await Promise.all([1, 2, 3].map(() => addLine(deal, { PricebookEntryId: own.entry })))
    for (const n of [1, 2, 3, 4]) {
      await Promise.all([
        change('Opportunity', deal, { Name: `House ${n}` }),
        change('Product2', own.product, { Name: `Pipe ${n}` }),
        addLine(deal, { PricebookEntryId: own.entry }),
      ])
      for (const line of lines)
        await assertValues(o, 'OpportunityLineItem', line, { Name: `House ${n} Pipe ${n}` })
    }
    assert.deepEqual(await findDiffering(o), [])
  })

  test('follows in the recycle bin too', async () => {
    const own = await addPrices(o, 'Wall')
    const deal = await addDeal({ Pricebook2Id: own.book })
    const line = await addLine(deal, { PricebookEntryId: own.entry })
    assert.equal((await o.call('DELETE', `/sobjects/Opportunity/${deal}`)).status, 204)
    await change('Product2', own.product, { Name: 'Fence' })
    await o.create('Note', { Title: deal, ParentId: await o.create('Account', { Name: 'A' }) })
    await assertValues(o, 'OpportunityLineItem', line, { Name: 'Barn Fence' })
  })

  test('moves SystemModstamp alone, and nothing when the others are saved with the same values', async () => {
    const deal = await addDeal()
    const quote = await o.create('Quote', { Name: 'Q', OpportunityId: deal })
    const readTimes = async () =>
      (await fetchRecords(o, `SELECT SystemModstamp, LastModifiedDate FROM Quote WHERE Id = '${quote}'`))[0]!
    const first = await readTimes()
    ahead = 60_000
    await change('Opportunity', deal, { AccountId: null, Name: 'Barn' })
    assert.deepEqual(await readTimes(), first)
    await change('Opportunity', deal, { AccountId: await o.create('Account', { Name: 'A' }) })
    const next = await readTimes()
    assert.equal(next.LastModifiedDate, first.LastModifiedDate)
    assert.notEqual(next.SystemModstamp, first.SystemModstamp)
  })
})

describe('a copy that is made once', () => {
  test('is the list price and the product of a line', async () => {
    const own = await addPrices(o, 'Pipe')
    const deal = await addDeal({ Pricebook2Id: own.book })
    const line = await addLine(deal, { PricebookEntryId: own.entry })
    await change('PricebookEntry', own.entry, { UnitPrice: 120 })
    await assertValues(o, 'OpportunityLineItem', line, { ListPrice: 100 })
    assert.deepEqual(await findDiffering(o), [])
  })

  test('is the account of a task, until it is about somebody else', async () => {
    const [one, other] = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    const person = await o.create('Contact', { LastName: 'C', AccountId: one })
    const stray = await o.create('Contact', { LastName: 'S' })
    const task = await o.create('Task', { WhoId: person })
    const alone = await o.create('Task', { WhoId: stray })
    for (const id of [person, stray]) await change('Contact', id, { AccountId: other })
    for (const id of [task, alone]) await change('Task', id, { Status: 'Completed' })
    await assertValues(o, 'Task', task, { AccountId: one })
    await assertValues(o, 'Task', alone, { AccountId: null })
    assert.deepEqual(await findDiffering(o), [])
    await change('Task', task, { WhoId: stray })
    await assertValues(o, 'Task', task, { AccountId: other })
  })
})
