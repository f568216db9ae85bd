import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering } from '../support/find-differing.ts'
import { deadlocksFound } from '../support/locked-table.sql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices, type Prices } from '../support/prices.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* A quote that is synced with its opportunity has the same lines. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10' }
const LIKE = 'PricebookEntryId, Product2Id, Quantity, UnitPrice, Discount, ServiceDate, Description'

let o: TestOrg
let prices: Prices
before(async () => {
  const triggers = await triggersFrom({
    'task.ts': `export default {
      object: 'Task',
      async beforeInsert(changes: any[], org: any) {
        await org.undelete(changes[0].record.Subject, [changes[0].record.Description])
      },
    }`,
  })
  // Lines without an entry are there from before they were refused.
  o = await openOrg({ triggers, settings: { lenient: 'true' } })
  prices = await addPrices(o)
})

type Line = Readonly<Record<string, unknown>>

const send = async (method: string, path: string, body?: object) => {
  const { status, text } = await o.call(method, `/sobjects/${path}`, body && { body })
  assert.equal(status, 204, `${method} ${path}: ${text}`)
}

const addDeal = (fields: object = {}) => o.create('Opportunity', { ...DEAL, ...fields })
const addQuote = (OpportunityId: string, fields: object = {}) =>
  o.create('Quote', { Name: 'Q', OpportunityId, Pricebook2Id: prices.book, ...fields })
const addDealLine = (OpportunityId: string, fields: object = {}) =>
  o.create('OpportunityLineItem', {
    OpportunityId,
    PricebookEntryId: prices.entry,
    Quantity: 1,
    UnitPrice: 10,
    ...fields,
  })
const addQuoteLine = (QuoteId: string, fields: object = {}) =>
  o.create('QuoteLineItem', {
    QuoteId,
    PricebookEntryId: prices.entry,
    Quantity: 1,
    UnitPrice: 10,
    ...fields,
  })

const listDealLines = (deal: string): Promise<readonly Line[]> =>
  fetchRecords(o, `SELECT Id, ${LIKE} FROM OpportunityLineItem WHERE OpportunityId = '${deal}' ORDER BY Id`)
const listQuoteLines = (quote: string): Promise<readonly Line[]> =>
  fetchRecords(
    o,
    `SELECT OpportunityLineItemId, ${LIKE} FROM QuoteLineItem WHERE QuoteId = '${quote}' ORDER BY OpportunityLineItemId`,
  )

const restore = (object: string, id: string) => o.create('Task', { Subject: object, Description: id })

/** Compares both sides. */
async function assertAlike(deal: string, quote: string, count: number): Promise<readonly Line[]> {
  const [own, likes] = [await listDealLines(deal), await listQuoteLines(quote)]
  assert.deepEqual(
    likes.map(({ OpportunityLineItemId, ...values }) => ({ Id: OpportunityLineItemId, ...values })),
    own,
  )
  assert.equal(own.length, count)
  return own
}

/** An opportunity with a synced quote, which has the given lines. */
async function addSynced(...lines: readonly object[]): Promise<readonly [deal: string, quote: string]> {
  const deal = await addDeal({ Pricebook2Id: prices.book })
  const quote = await addQuote(deal)
  for (const line of lines) await addQuoteLine(quote, line)
  await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
  return [deal, quote]
}

describe('syncing a quote', () => {
  test('replaces the lines of its opportunity by its own', async () => {
    const deal = await addDeal()
    const old = await addDealLine(deal, { UnitPrice: 7 })
    const quote = await addQuote(deal)
    await assertValues(o, 'Quote', quote, { IsSyncing: false, Subtotal: 0, TotalPrice: 0, GrandTotal: 0 })
    await addQuoteLine(quote, { Quantity: 2, UnitPrice: 50, Discount: 10, ServiceDate: '2026-06-01' })
    await addQuoteLine(quote, { Quantity: 1, UnitPrice: 5, Description: 'small' })
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote, NextStep: 'Call', Amount: 1 })
    const lines = await assertAlike(deal, quote, 2)
    assert.ok(!lines.some(({ Id }) => Id === old))
    await assertValues(o, 'Quote', quote, { IsSyncing: true, TotalPrice: 95, LineItemCount: 2 })
    await assertValues(o, 'Opportunity', deal, {
      SyncedQuoteId: quote,
      NextStep: 'Call',
      Amount: 95,
      ExpectedRevenue: 9.5,
      TotalOpportunityQuantity: 3,
      HasOpportunityLineItem: true,
    })
    const found = await fetchRecords(
      o,
      `SELECT Id FROM Quote WHERE IsSyncing = true AND OpportunityId = '${deal}'`,
    )
    assert.deepEqual(found, [{ Id: quote }])
  })

  test('gives its opportunity its price book', async () => {
    const other = await addPrices(o, 'Wall')
    const deal = await addDeal()
    await addDealLine(deal, { PricebookEntryId: other.entry })
    const quote = await addQuote(deal)
    await addQuoteLine(quote)
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
    await assertValues(o, 'Opportunity', deal, { Pricebook2Id: prices.book, Amount: 10 })
  })

  test('without lines removes those of the opportunity', async () => {
    const deal = await addDeal()
    await addDealLine(deal)
    const quote = await addQuote(deal)
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
    await assertAlike(deal, quote, 0)
    await assertValues(o, 'Opportunity', deal, { Amount: 0, HasOpportunityLineItem: false })
  })

  test('in place of another one leaves that as it is', async () => {
    const [deal, first] = await addSynced({ UnitPrice: 1 })
    const second = await addQuote(deal)
    await addQuoteLine(second, { UnitPrice: 2 })
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: second })
    await assertAlike(deal, second, 1)
    const left = await listQuoteLines(first)
    assert.deepEqual(
      left.map(({ UnitPrice, OpportunityLineItemId }) => [UnitPrice, OpportunityLineItemId]),
      [[1, null]],
    )
    await assertValues(o, 'Quote', first, { IsSyncing: false, TotalPrice: 1 })
    await addQuoteLine(first)
    await assertAlike(deal, second, 1)
  })

  test('stops with null, and again takes what the quote has', async () => {
    const [deal, quote] = await addSynced({ UnitPrice: 30 })
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: null })
    await assertValues(o, 'Opportunity', deal, { Amount: 30, SyncedQuoteId: null })
    await assertValues(o, 'Quote', quote, { IsSyncing: false })
    await addDealLine(deal, { UnitPrice: 4 })
    await assertValues(o, 'Opportunity', deal, { Amount: 34 })
    await assertValues(o, 'Quote', quote, { TotalPrice: 30 })
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
    await assertAlike(deal, quote, 1)
    await assertValues(o, 'Opportunity', deal, { Amount: 30 })
  })

  test('is refused with a quote of another opportunity, and on create', async () => {
    const [, foreign] = await addSynced()
    const message = 'Synced Quote must be a child of the opportunity'
    const body = { SyncedQuoteId: foreign }
    const changed = await o.call('PATCH', `/sobjects/Opportunity/${await addDeal()}`, { body })
    assertRefused(changed, 400, 'FIELD_INTEGRITY_EXCEPTION', message, ['SyncedQuoteId'])
    const created = await o.call('POST', '/sobjects/Opportunity', { body: { ...DEAL, ...body } })
    assertRefused(created, 400, 'FIELD_INTEGRITY_EXCEPTION', message, ['SyncedQuoteId'])
    const written = await o.call('PATCH', `/sobjects/Quote/${foreign}`, { body: { IsSyncing: true } })
    assert.equal(written.body[0].errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
  })

  test('of several opportunities in a list refuses the wrong ones alone', async () => {
    const [one, two] = [await addDeal({ Pricebook2Id: prices.book }), await addDeal()]
    const quote = await addQuote(one)
    await addQuoteLine(quote)
    const records = [one, two].map((Id) => ({
      attributes: { type: 'Opportunity' },
      Id,
      SyncedQuoteId: quote,
    }))
    const { body } = await o.call('PATCH', '/composite/sobjects', { body: { records } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false],
    )
    await assertAlike(one, quote, 1)
  })

  test('is refused when a line has an entry that is not active any more', async () => {
    const retired = await addPrices(o, 'Gate')
    const deal = await addDeal()
    const quote = await addQuote(deal, { Pricebook2Id: retired.book })
    await addQuoteLine(quote, { PricebookEntryId: retired.entry })
    await send('PATCH', `PricebookEntry/${retired.entry}`, { IsActive: false })
    const answer = await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { SyncedQuoteId: quote } })
    assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', /pricebook entry is inactive/, [
      'PricebookEntryId',
    ])
    await assertValues(o, 'Opportunity', deal, { SyncedQuoteId: null, HasOpportunityLineItem: false })
  })
})

describe('with a synced quote', () => {
  test('new, changed and deleted lines of the quote are those of the opportunity', async () => {
    const [deal, quote] = await addSynced()
    const line = await addQuoteLine(quote, { Quantity: 3, UnitPrice: 10 })
    await assertAlike(deal, quote, 1)
    await send('PATCH', `QuoteLineItem/${line}`, { Quantity: 5 })
    await assertAlike(deal, quote, 1)
    await assertValues(o, 'Opportunity', deal, { Amount: 50 })
    await send('PATCH', `QuoteLineItem/${line}`, { Description: 'x', ServiceDate: '2026-07-01' })
    const [{ Description } = {}] = await assertAlike(deal, quote, 1)
    assert.equal(Description, 'x')
    await send('DELETE', `QuoteLineItem/${line}`)
    await assertAlike(deal, quote, 0)
    await assertValues(o, 'Opportunity', deal, { Amount: 0 })
    await assertValues(o, 'Quote', quote, { TotalPrice: 0, LineItemCount: 0 })
  })

  test('new, changed and deleted lines of the opportunity are those of the quote', async () => {
    const [deal, quote] = await addSynced()
    const line = await addDealLine(deal, { Quantity: 3, UnitPrice: 10 })
    await assertAlike(deal, quote, 1)
    await assertValues(o, 'Quote', quote, { TotalPrice: 30, LineItemCount: 1 })
    await send('PATCH', `OpportunityLineItem/${line}`, { TotalPrice: 60 })
    await assertAlike(deal, quote, 1)
    await assertValues(o, 'Quote', quote, { TotalPrice: 60 })
    await send('PATCH', `OpportunityLineItem/${line}`, { Description: 'y', Discount: 50 })
    await assertAlike(deal, quote, 1)
    await assertValues(o, 'Quote', quote, { TotalPrice: 30, Subtotal: 60, Discount: 50 })
    await send('DELETE', `OpportunityLineItem/${line}`)
    await assertAlike(deal, quote, 0)
  })

  test('a total that no price divides stays when the text of the other line changes', async () => {
    const [deal, quote] = await addSynced()
    const line = await addDealLine(deal, { Quantity: 3, UnitPrice: null, TotalPrice: 10 })
    const [like] = await fetchRecords(o, `SELECT Id FROM QuoteLineItem WHERE QuoteId = '${quote}'`)
    await send('PATCH', `QuoteLineItem/${like!.Id}`, { Description: 'z' })
    await assertValues(o, 'OpportunityLineItem', line, { TotalPrice: 10, UnitPrice: 3.33, Description: 'z' })
  })

  test('a line whose total says nothing of its unit price has the list price on both sides', async () => {
    const [deal, quote] = await addSynced()
    await addDealLine(deal, { Quantity: 1, UnitPrice: null, TotalPrice: 0, Discount: 100 })
    const [like] = await listQuoteLines(quote)
    assert.equal(like!.UnitPrice, 100)
  })

  test('a line of the opportunity without an entry stays when lines of the quote are written and deleted', async () => {
    const [deal, quote] = await addSynced({}, {})
    const own = await addDealLine(deal, { PricebookEntryId: null, UnitPrice: 5 })
    await addQuoteLine(quote, { UnitPrice: 7 })
    const [line] = await fetchRecords(o, `SELECT Id FROM QuoteLineItem WHERE QuoteId = '${quote}' LIMIT 1`)
    await send('DELETE', `QuoteLineItem/${line!.Id}`)
    const lines = await listDealLines(deal)
    assert.ok(lines.some(({ Id }) => Id === own))
    assert.equal(lines.length, 3)
    await assertValues(o, 'Opportunity', deal, { Amount: 22 })
    await assertValues(o, 'Quote', quote, { TotalPrice: 17 })
  })

  test('lists are mirrored as lists', async () => {
    const [deal, quote] = await addSynced()
    const records = [1, 2, 3].map((UnitPrice) => ({
      attributes: { type: 'OpportunityLineItem' },
      OpportunityId: deal,
      PricebookEntryId: prices.entry,
      Quantity: 1,
      UnitPrice,
    }))
    await o.call('POST', '/composite/sobjects', { body: { records } })
    await assertAlike(deal, quote, 3)
    const likes = await fetchRecords(o, `SELECT Id FROM QuoteLineItem WHERE QuoteId = '${quote}'`)
    const changes = likes.map(({ Id }) => ({ attributes: { type: 'QuoteLineItem' }, Id, Quantity: 2 }))
    await o.call('PATCH', '/composite/sobjects', { body: { records: changes } })
    await assertAlike(deal, quote, 3)
    await assertValues(o, 'Opportunity', deal, { Amount: 12 })
    const ids = likes.map(({ Id }) => Id).join()
    await o.call('DELETE', `/composite/sobjects?ids=${ids}`)
    await assertAlike(deal, quote, 0)
  })

  test('the first line of an opportunity without a price book gives it to both', async () => {
    const deal = await addDeal()
    const quote = await addQuote(deal, { Pricebook2Id: null })
    await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
    await addDealLine(deal)
    await assertAlike(deal, quote, 1)
    await assertValues(o, 'Quote', quote, { Pricebook2Id: prices.book })
  })

  test('what one side refuses is refused on the other', async () => {
    const [deal, quote] = await addSynced()
    const most = { Quantity: 1, UnitPrice: 9_000_000_000_000_000 }
    await addQuoteLine(quote, most)
    const body = { OpportunityId: deal, PricebookEntryId: prices.entry, ...most }
    const answer = await o.call('POST', '/sobjects/OpportunityLineItem', { body })
    assert.deepEqual([answer.status, answer.body[0].errorCode], [400, 'NUMBER_OUTSIDE_VALID_RANGE'])
    await assertAlike(deal, quote, 1)
  })

  test('the deletion of that leaves the lines and the amount', async () => {
    const [deal, quote] = await addSynced({ UnitPrice: 30 })
    await send('DELETE', `Quote/${quote}`)
    await assertValues(o, 'Opportunity', deal, { SyncedQuoteId: null, Amount: 30 })
    assert.equal((await listDealLines(deal)).length, 1)
    await addDealLine(deal)
    await assertValues(o, 'Opportunity', deal, { Amount: 40 })
    await send('DELETE', `Opportunity/${deal}`)
  })
})

test('a line that is restored is on both sides again', async () => {
  const [deal, quote] = await addSynced()
  const own = await addDealLine(deal)
  const like = await addQuoteLine(quote)
  await send('DELETE', `OpportunityLineItem/${own}`)
  await send('DELETE', `QuoteLineItem/${like}`)
  await assertAlike(deal, quote, 0)
  await restore('OpportunityLineItem', own)
  await assertAlike(deal, quote, 1)
  await restore('QuoteLineItem', like)
  await assertAlike(deal, quote, 2)
  await assertValues(o, 'Opportunity', deal, { Amount: 20 })
  await assertValues(o, 'Quote', quote, { TotalPrice: 20, LineItemCount: 2 })
})

test('a quote that is restored, alone or with its opportunity, has its lines and is not synced', async () => {
  const [deal, quote] = await addSynced({ UnitPrice: 30 })
  await send('DELETE', `Opportunity/${deal}`)
  await restore('Opportunity', deal)
  await assertValues(o, 'Opportunity', deal, { SyncedQuoteId: null, Amount: 30 })
  await assertValues(o, 'Quote', quote, { IsSyncing: false, TotalPrice: 30 })
  await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
  await assertAlike(deal, quote, 1)
  await send('DELETE', `Quote/${quote}`)
  await restore('Quote', quote)
  await assertValues(o, 'Quote', quote, { IsSyncing: false, TotalPrice: 30, LineItemCount: 1 })
  await send('PATCH', `Opportunity/${deal}`, { SyncedQuoteId: quote })
  await assertAlike(deal, quote, 1)
})

test('writes of both sides at once end alike, and none of them waits in vain', async () => {
  const pairs = [await addSynced({ UnitPrice: 1 }, { UnitPrice: 2 }), await addSynced({ UnitPrice: 3 })]
  const spare = await addQuote(pairs[0]![0])
  await addQuoteLine(spare, { UnitPrice: 9 })
  // Both sides change it in the end.
  const campaign = await o.create('Campaign', { Name: 'C' })
  for (const [deal] of pairs) await send('PATCH', `Opportunity/${deal}`, { CampaignId: campaign })
  const line = { PricebookEntryId: prices.entry, Quantity: 1 }
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const [deal, quote] = pairs[index % 2]!
      const UnitPrice = index
      switch (index % 8) {
        case 0:
        case 1:
          return o.call('POST', '/sobjects/OpportunityLineItem', {
            body: { ...line, OpportunityId: deal, UnitPrice },
          })
        case 2:
        case 3:
          return o.call('POST', '/sobjects/QuoteLineItem', { body: { ...line, QuoteId: quote, UnitPrice } })
        case 4: {
          const SyncedQuoteId = index % 16 === 4 ? spare : pairs[0]![1]
          return o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { SyncedQuoteId } })
        }
        case 5: {
          const [like] = await fetchRecords(
            o,
            `SELECT Id FROM QuoteLineItem WHERE QuoteId = '${quote}' LIMIT 1`,
          )
          return o.call('PATCH', `/sobjects/QuoteLineItem/${like!.Id}`, { body: { Description: `${index}` } })
        }
        case 6: {
          const [own] = await fetchRecords(
            o,
            `SELECT Id FROM OpportunityLineItem WHERE OpportunityId = '${deal}' LIMIT 1`,
          )
          if (own === undefined) return { status: 404, text: '' }
          return o.call('PATCH', `/sobjects/OpportunityLineItem/${own.Id}`, { body: { Quantity: 2 } })
        }
        default:
          return o.call('PATCH', `/sobjects/Quote/${quote}`, { body: { Tax: index, Name: `Q ${index}` } })
      }
    }),
  )
  // A line that the other quote replaced is gone.
  for (const { status, text } of answers) assert.ok([201, 204, 404].includes(status), `${status} ${text}`)
  for (const [deal] of pairs) {
    const [{ SyncedQuoteId, Amount } = {}] = await fetchRecords(
      o,
      `SELECT SyncedQuoteId, Amount FROM Opportunity WHERE Id = '${deal}'`,
    )
    const likes = await listQuoteLines(String(SyncedQuoteId))
    await assertAlike(deal, String(SyncedQuoteId), likes.length)
    await assertValues(o, 'Quote', String(SyncedQuoteId), { TotalPrice: Amount, LineItemCount: likes.length })
  }
  assert.deepEqual(await findDiffering(o), [])
})

test('lines of quotes that become synced meanwhile are locked in the order of all writes, also when tried again', async () => {
  const campaign = await o.create('Campaign', { Name: 'C' })
  const deals = await Promise.all(
    [1, 2].map(async () => {
      const deal = await addDeal({ CampaignId: campaign, Pricebook2Id: prices.book })
      return [deal, [await addQuote(deal), await addQuote(deal)]] as const
    }),
  )
  const [{ deadlocks } = {}] = await o.db.query(deadlocksFound)
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [deal, quotes] = deals[index % 2]!
        if (index % 4 < 2) {
          const SyncedQuoteId = quotes[(index >> 2) % 2]
          return o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { SyncedQuoteId } })
        }
        const QuoteId = quotes[(index >> 3) % 2]
        const body = { QuoteId, PricebookEntryId: prices.entry, Quantity: 1, UnitPrice: index }
        return o.call('POST', '/sobjects/QuoteLineItem', { body })
      }),
    )
    for (const { status, text } of answers) assert.ok([201, 204].includes(status), `${status} ${text}`)
  }
  assert.deepEqual(await o.db.query(deadlocksFound), [{ deadlocks }])
  assert.deepEqual(await findDiffering(o), [])
})
