import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering } from '../support/find-differing.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices, type Prices } from '../support/prices.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Activated contracts and orders, and what they belong to. */

const ASSOCIATED = (plural: string, number: string) =>
  `Your attempt to delete Acme could not be completed because it is associated with the following ${plural}.: ${number}`

describe('an activated contract or order', () => {
  let o: TestOrg
  let prices: Prices
  before(async () => {
    // Restores the order that the description of a price book names.
    const triggers = await triggersFrom({
      'restore.ts': `export default {
        object: 'Pricebook2',
        async beforeInsert(changes: any[], org: any) {
          for (const { record } of changes)
            if (record.Description) await org.undelete('Order', [record.Description])
        },
      }`,
    })
    o = await openOrg({ triggers })
    prices = await addPrices(o)
  })

  const addAccount = () => o.create('Account', { Name: 'Acme' })
  const activate = async (object: string, id: string) =>
    assert.equal(
      (await o.call('PATCH', `/sobjects/${object}/${id}`, { body: { Status: 'Activated' } })).status,
      204,
    )
  const addOrder = async (account: string) => {
    const fields = { EffectiveDate: '2026-05-01', Status: 'Draft', Pricebook2Id: prices.book }
    const order = await o.create('Order', { ...fields, AccountId: account })
    await o.create('OrderItem', {
      OrderId: order,
      PricebookEntryId: prices.entry,
      Quantity: 2,
      UnitPrice: 10,
    })
    return order
  }

  test('keeps its account', async () => {
    const [account, other] = [await addAccount(), await addAccount()]
    const contract = await o.create('Contract', { AccountId: account })
    await activate('Contract', contract)
    const { ContractNumber } = (await o.call('GET', `/sobjects/Contract/${contract}`)).body
    assertRefused(
      await o.call('DELETE', `/sobjects/Account/${account}`),
      400,
      'DELETE_FAILED',
      ASSOCIATED('contracts', ContractNumber),
    )
    const order = await addOrder(other)
    await activate('Order', order)
    const { OrderNumber } = (await o.call('GET', `/sobjects/Order/${order}`)).body
    assertRefused(
      await o.call('DELETE', `/sobjects/Account/${other}`),
      400,
      'DELETE_FAILED',
      ASSOCIATED('orders', OrderNumber),
    )
    await assertValues(o, 'Order', order, { Status: 'Activated', AccountId: other, TotalAmount: 20 })
  })

  test('of one account of a list keeps that one only', async () => {
    const accounts = [await addAccount(), await addAccount(), await addAccount()]
    await o.create('Contract', { AccountId: accounts[0]! })
    await activate('Contract', await o.create('Contract', { AccountId: accounts[1]! }))
    const { body } = await o.call('DELETE', `/composite/sobjects?ids=${accounts.join(',')}`)
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false, true],
    )
    const left = await fetchRecords(o, `SELECT Id FROM Account WHERE Id IN ('${accounts.join("','")}')`)
    assert.deepEqual(left, [{ Id: accounts[1] }])
  })

  test('that became a draft again is deleted with its lines, and comes back with them', async () => {
    const order = await addOrder(await addAccount())
    await activate('Order', order)
    await o.call('PATCH', `/sobjects/Order/${order}`, { body: { Status: 'Draft' } })
    assert.equal((await o.call('DELETE', `/sobjects/Order/${order}`)).status, 204)
    assert.deepEqual(await fetchRecords(o, `SELECT Id FROM OrderItem WHERE OrderId = '${order}'`), [])
    await o.create('Pricebook2', { Name: 'restore', Description: order })
    await assertValues(o, 'Order', order, { StatusCode: 'Draft', TotalAmount: 20, ActivatedDate: null })
    await activate('Order', order)
    assert.deepEqual(await findDiffering(o), [])
  })
})
