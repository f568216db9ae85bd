import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchNames, fetchRefusal, fetchResult } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SAMPLE, SAMPLES, UNFILTERABLE } from '../support/sample-schema.ts'

let o: TestOrg

/** Made in another order than they are sorted in; the first three have values that ascend. */
before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
  const names = ['one', 'two', 'three']
  const parents = ['alpha', 'Beta', 'gamma']
  for (const i of [1, 0, 2]) {
    const account = await o.create('Account', { Name: parents[i], NumberOfEmployees: i })
    const values = SAMPLES.map((sample) => [sample.field.name, sample.values[i]])
    const others = { Name: names[i], Account__c: account, Boolean__c: i === 0 }
    await o.create('Sample__c', { ...Object.fromEntries(values), ...others })
  }
  await o.create('Sample__c', { Name: 'none' })
})

const sorted = (order: string) => fetchNames(o, `Sample__c ORDER BY ${order}`)

describe('ORDER BY ascends and has nulls first in both directions, unless it says otherwise', () => {
  for (const name of [
    ...SAMPLES.map((s) => s.field.name),
    'Account__r.Name',
    'Account__r.NumberOfEmployees',
  ]) {
    test(name, async () => {
      assert.deepEqual(await sorted(name), ['none', 'one', 'two', 'three'])
      assert.deepEqual(await sorted(`${name} ASC`), ['none', 'one', 'two', 'three'])
      assert.deepEqual(await sorted(`${name} DESC`), ['none', 'three', 'two', 'one'])
      assert.deepEqual(await sorted(`${name} NULLS FIRST`), ['none', 'one', 'two', 'three'])
      assert.deepEqual(await sorted(`${name} NULLS LAST`), ['one', 'two', 'three', 'none'])
      assert.deepEqual(await sorted(`${name} DESC NULLS FIRST`), ['none', 'three', 'two', 'one'])
      assert.deepEqual(await sorted(`${name} desc nulls last`), ['three', 'two', 'one', 'none'])
    })
  }
})

describe('ORDER BY', () => {
  test('sorts what is never null in both directions, whatever it says of nulls', async () => {
    assert.deepEqual(await sorted('Number__c'), ['two', 'one', 'three', 'none'])
    assert.deepEqual(await sorted('Number__c DESC NULLS LAST'), ['none', 'three', 'one', 'two'])
    assert.deepEqual(await sorted('Id'), ['two', 'one', 'three', 'none'])
    assert.deepEqual(await sorted('Id DESC'), ['none', 'three', 'one', 'two'])
    assert.deepEqual(await sorted('Id DESC NULLS FIRST'), ['none', 'three', 'one', 'two'])
    assert.deepEqual(await sorted('Boolean__c DESC, Name'), ['one', 'none', 'three', 'two'])
  })

  test('takes several fields, each with its own direction', async () => {
    assert.deepEqual(await sorted('Boolean__c, Name DESC'), ['two', 'three', 'none', 'one'])
    assert.deepEqual(await sorted('Account__c NULLS LAST, Name'), ['two', 'one', 'three', 'none'])
  })

  test('sorts a picklist in the order of its definition, values that are not in it last', async () => {
    const stages = ['Closed Lost', 'Prospecting', 'Made up', 'Closed Won', 'Negotiation/Review']
    for (const StageName of stages)
      await o.create('Opportunity', { Name: StageName, StageName, CloseDate: '2024-01-01' })
    const ascending = ['Prospecting', 'Negotiation/Review', 'Closed Won', 'Closed Lost', 'Made up']
    assert.deepEqual(await fetchNames(o, 'Opportunity ORDER BY StageName'), ascending)
    assert.deepEqual(await fetchNames(o, 'Opportunity ORDER BY StageName DESC'), ascending.toReversed())
  })

  test('breaks ties by id, so that an order is always the same', async () => {
    for (let i = 0; i < 20; i++)
      await o.create('Campaign', { Name: `c${i}`, Type: ['Email', 'Other'][i % 2] })
    const inOrder = async (text: string) =>
      (await fetchResult(o, text)).records.map((record: { Id: string }) => record.Id)
    const ids = await inOrder('SELECT Id FROM Campaign')
    assert.deepEqual(ids, ids.toSorted())
    assert.deepEqual(await inOrder('SELECT Id FROM Campaign ORDER BY IsActive DESC'), ids)
    const byType = await inOrder('SELECT Id FROM Campaign ORDER BY Type DESC')
    assert.deepEqual(byType.slice(0, 10), byType.slice(0, 10).toSorted())
    assert.deepEqual(byType.slice(10), byType.slice(10).toSorted())
  })

  test('refuses fields that can not be sorted', async () => {
    for (const name of [...UNFILTERABLE.map((field) => field.name), 'Tags__c']) {
      const { code, message } = await fetchRefusal(o, `SELECT Id FROM Sample__c ORDER BY ${name}`)
      assert.equal(code, 'INVALID_FIELD')
      assert.equal(message.split('\n').at(-1), `field '${name}' can not be sorted in a query call`)
    }
    assert.equal(
      (await fetchRefusal(o, 'SELECT Id FROM Account ORDER BY BillingAddress')).code,
      'INVALID_FIELD',
    )
  })
})

describe('LIMIT and OFFSET', () => {
  const names = (rest: string) => fetchNames(o, `Account ORDER BY Name ${rest}`)

  test('LIMIT cuts the result, and totalSize with it', async () => {
    assert.deepEqual(await names('LIMIT 2'), ['alpha', 'Beta'])
    assert.deepEqual(await names('LIMIT 99999999'), ['alpha', 'Beta', 'gamma'])
    const result = await fetchResult(o, 'SELECT Id FROM Account LIMIT 2')
    assert.equal(result.totalSize, 2)
    assert.equal(result.done, true)
    assert.deepEqual(await fetchResult(o, 'SELECT Id FROM Account LIMIT 0'), {
      totalSize: 0,
      done: true,
      records: [],
    })
  })

  test('OFFSET skips, before the limit counts', async () => {
    assert.deepEqual(await names('OFFSET 1'), ['Beta', 'gamma'])
    assert.deepEqual(await names('LIMIT 1 OFFSET 1'), ['Beta'])
    assert.deepEqual(await names('LIMIT 5 OFFSET 0'), ['alpha', 'Beta', 'gamma'])
    assert.deepEqual(await names('LIMIT 5 OFFSET 2000'), [])
  })

  test('an OFFSET over 2,000 is refused', async () => {
    for (const text of [
      'SELECT Id FROM Account LIMIT 1 OFFSET 2001',
      'SELECT COUNT() FROM Account OFFSET 2001',
    ]) {
      const { code, message } = await fetchRefusal(o, text)
      assert.equal(code, 'NUMBER_OUTSIDE_VALID_RANGE')
      assert.equal(message, 'Maximum SOQL offset allowed is 2000')
    }
  })

  test('neither is negative, a fraction or a text, and LIMIT comes first', async () => {
    for (const end of [
      'LIMIT -1',
      'LIMIT 1.5',
      "LIMIT '1'",
      'LIMIT',
      'OFFSET -1',
      'OFFSET 1 LIMIT 1',
      'LIMIT 1, 2',
    ])
      assert.equal((await fetchRefusal(o, `SELECT Id FROM Account ${end}`)).code, 'MALFORMED_QUERY', end)
  })
})

describe('COUNT()', () => {
  test('gives the number of matches and no records', async () => {
    assert.deepEqual(await fetchResult(o, 'SELECT COUNT() FROM Account'), {
      totalSize: 3,
      done: true,
      records: [],
    })
    const text = "select count() from Sample__c where Account__r.Name like '%a' and Name != 'one'"
    assert.equal((await fetchResult(o, text)).totalSize, 2)
    assert.equal((await fetchResult(o, "SELECT COUNT() FROM Account WHERE Name = 'x'")).totalSize, 0)
  })

  test('counts between OFFSET and LIMIT', async () => {
    for (const [end, expected] of [
      ['LIMIT 2', 2],
      ['LIMIT 10', 3],
      ['LIMIT 0', 0],
      ['OFFSET 1', 2],
      ['LIMIT 5 OFFSET 2', 1],
      ['LIMIT 1 OFFSET 1', 1],
    ] as const)
      assert.equal((await fetchResult(o, `SELECT COUNT() FROM Account ${end}`)).totalSize, expected, end)
  })

  test('is alone and is not sorted', async () => {
    for (const text of [
      'SELECT COUNT(), Id FROM Account',
      'SELECT Id, COUNT() FROM Account',
      'SELECT COUNT() FROM Account ORDER BY Name',
    ])
      assert.equal((await fetchRefusal(o, text)).code, 'MALFORMED_QUERY')
  })

  test('is held to the fields and types of its conditions', async () => {
    assert.equal((await fetchRefusal(o, 'SELECT COUNT() FROM Nope')).code, 'INVALID_TYPE')
    assert.equal((await fetchRefusal(o, 'SELECT COUNT() FROM Account WHERE Nope = 1')).code, 'INVALID_FIELD')
    assert.equal((await ask(o, "SELECT COUNT() FROM Account WHERE Name = 'a'")).status, 200)
  })
})
