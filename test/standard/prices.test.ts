import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices, type Prices } from '../support/prices.ts'

/* Products with their prices. */

const refuse = (o: TestOrg, body: object) => o.call('POST', '/sobjects/PricebookEntry', { body })

describe('a price book entry', () => {
  let o: TestOrg
  let prices: Prices
  before(async () => {
    o = await openOrg()
    prices = await addPrices(o)
  })

  test('is in another book only after the standard one', async () => {
    const product = await o.create('Product2', { Name: 'Bare' })
    const entry = { Pricebook2Id: prices.book, Product2Id: product, UnitPrice: 1 }
    const message = 'Before creating a custom price, create a standard price.'
    assertRefused(await refuse(o, entry), 400, 'STANDARD_PRICE_NOT_DEFINED', message)
    const records = [{ ...entry, Pricebook2Id: prices.standard }, entry].map((one) => ({
      attributes: { type: 'PricebookEntry' },
      ...one,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, true],
      'the standard one may stand before it in the list',
    )
  })

  test('is the only one of its book and product', async () => {
    const entry = { Pricebook2Id: prices.book, Product2Id: prices.product, UnitPrice: 1 }
    const message = 'This price definition already exists in this price book'
    assertRefused(await refuse(o, entry), 400, 'DUPLICATE_VALUE', message)
  })

  test('is named as its product is, also when that changes', async () => {
    await assertValues(o, 'PricebookEntry', prices.entry, { Name: 'Roof', ProductCode: 'Roof-1' })
    await o.call('PATCH', `/sobjects/Product2/${prices.product}`, {
      body: { Name: 'Big roof', ProductCode: null },
    })
    await assertValues(o, 'PricebookEntry', prices.entry, { Name: 'Big roof', ProductCode: null })
  })

  test('follows the standard price if it is to', async () => {
    const standardEntry = async () => {
      const [{ Id } = {}] = await fetchRecords(
        o,
        `SELECT Id FROM PricebookEntry WHERE Product2Id = '${prices.product}' AND Pricebook2.IsStandard = true`,
      )
      return String(Id)
    }
    const change = (id: string, body: object) => o.call('PATCH', `/sobjects/PricebookEntry/${id}`, { body })
    const other = await o.create('Pricebook2', { Name: 'Retail' })
    const follower = { Pricebook2Id: other, Product2Id: prices.product, UseStandardPrice: true }
    const id = await o.create('PricebookEntry', follower)
    await assertValues(o, 'PricebookEntry', id, { UnitPrice: 90 })
    await change(await standardEntry(), { UnitPrice: 95 })
    await assertValues(o, 'PricebookEntry', id, { UnitPrice: 95 })
    await assertValues(o, 'PricebookEntry', prices.entry, { UnitPrice: 100 })
    const message = 'The price follows the standard price of the product'
    assertRefused(await change(id, { UnitPrice: 1 }), 400, 'FIELD_INTEGRITY_EXCEPTION', message, [
      'UnitPrice',
    ])
    assert.equal((await change(id, { UseStandardPrice: false, UnitPrice: 70 })).status, 204)
    await assertValues(o, 'PricebookEntry', id, { UnitPrice: 70 })
    assert.equal((await change(id, { UseStandardPrice: true })).status, 204)
    await assertValues(o, 'PricebookEntry', id, { UnitPrice: 95 })
    const itself = await change(await standardEntry(), { UseStandardPrice: true })
    assertRefused(itself, 400, 'FIELD_INTEGRITY_EXCEPTION', 'The standard price cannot follow itself', [
      'UseStandardPrice',
    ])
    const without = await refuse(o, { ...follower, UseStandardPrice: false })
    assertRefused(without, 400, 'REQUIRED_FIELD_MISSING', /UnitPrice/, ['UnitPrice'])
  })

  test('is not deleted while lines have it, nor is its product', async () => {
    const used = await addPrices(o, 'Used')
    const deal = await o.create('Opportunity', {
      Name: 'D',
      StageName: 'Prospecting',
      CloseDate: '2026-05-10',
    })
    const line = { OpportunityId: deal, PricebookEntryId: used.entry, Quantity: 1 }
    await o.create('OpportunityLineItem', line)
    for (const path of [
      `PricebookEntry/${used.entry}`,
      `Product2/${used.product}`,
      `Pricebook2/${used.book}`,
    ])
      assertRefused(await o.call('DELETE', `/sobjects/${path}`), 400, 'DELETE_FAILED', /./)
    await o.call('DELETE', `/sobjects/Opportunity/${deal}`)
    assert.equal((await o.call('DELETE', `/sobjects/PricebookEntry/${prices.entry}`)).status, 204)
  })

  test('of an org are in a standard book that cannot be deleted', async () => {
    const answer = await o.call('DELETE', `/sobjects/Pricebook2/${prices.standard}`)
    assertRefused(answer, 400, 'DELETE_FAILED', 'The standard price book cannot be deleted')
  })
})
