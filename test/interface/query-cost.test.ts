import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
})

/** Sends a query that is too long for an address: inside a batch. */
async function askInBatch(path: string) {
  const batchRequests = [{ method: 'GET', url: `v64.0/query?${path}` }]
  const answer = await o.call('POST', '/composite/batch', { body: { batchRequests } })
  const { statusCode, result } = answer.body.results[0]
  return { status: statusCode, body: result }
}

async function fetchNames(rest: string): Promise<unknown[]> {
  const { status, body } = await askInBatch(`q=${encodeURIComponent(`SELECT Name FROM ${rest}`)}`)
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  return body.records.map((record: Record<string, unknown>) => record.Name)
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`

describe('many comparisons of one field are one comparison with an array', () => {
  const SIZE = 4000
  const chain = (test: (i: number) => string, word: string) =>
    Array.from({ length: SIZE }, (_, i) => test(i)).join(word)
  /** An array is one of them. */
  const fetchParameters = async (condition: string) => {
    const query = `SELECT Id FROM Account WHERE ${condition}`
    const { status, body } = await askInBatch(`explain=${encodeURIComponent(query)}&statement=true`)
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
    return body.statement.values.length
  }

  before(async () => {
    for (const name of ['n7', 'N8', 'other']) await o.create('Account', { Name: name, Industry: 'Energy' })
    await o.create('Account', { Name: 'n9', Phone: '1' })
  })

  test("4,000 times Name = 'a' OR", async () => {
    const condition = chain((i) => `Name = 'n${i}'`, ' OR ')
    assert.deepEqual(await fetchNames(`Account WHERE ${condition} ORDER BY Name`), ['n7', 'N8', 'n9'])
    assert.equal(await fetchParameters(condition), 1)
    assert.equal(await fetchParameters(`(Phone = null OR (${condition})) AND Industry != null`), 1)
  })

  test("4,000 times Name != 'a' AND", async () => {
    const condition = chain((i) => `Name != 'n${i}'`, ' AND ')
    assert.deepEqual(await fetchNames(`Account WHERE ${condition} ORDER BY Name`), ['other'])
    assert.equal(await fetchParameters(condition), 1)
  })

  test("4,000 times Name LIKE 'a' OR", async () => {
    const condition = chain((i) => `Name LIKE 'n${i}'`, ' OR ')
    assert.deepEqual(await fetchNames(`Account WHERE ${condition} ORDER BY Name`), ['n7', 'N8', 'n9'])
    assert.equal(await fetchParameters(condition), 1)
  })

  test('null is equal to null and to nothing else, in a chain as in a list', async () => {
    const names = (condition: string) =>
      fetchNames(`Account WHERE Name != 'x' AND ${condition} ORDER BY Name`)
    assert.deepEqual(await names("(Industry = 'energy' OR Industry = 'x')"), ['n7', 'N8', 'other'])
    assert.deepEqual(await names("(Industry = 'x' OR Industry = null OR Industry = 'y')"), ['n9'])
    assert.deepEqual(await names("Industry != 'energy' AND Industry != 'x'"), ['n9'])
    assert.deepEqual(await names("Industry != 'x' AND Industry != null AND Industry != 'y'"), [
      'n7',
      'N8',
      'other',
    ])
    assert.deepEqual(await names("(NOT (Industry = 'energy' OR Industry = ''))"), [])
    assert.deepEqual(await names("(Industry = 'energy' OR Phone = '1')"), ['n7', 'N8', 'n9', 'other'])
  })

  test('ids of 15 and of 18 characters are in one chain, of a reference too', async () => {
    const [{ Id, OwnerId }] = (await fetchRecords(
      o,
      "SELECT Id, OwnerId FROM Account WHERE Name = 'n9'",
    )) as [{ Id: string; OwnerId: string }]
    const none = '001000000000001AAA'
    for (const id of [Id, Id.slice(0, 15)]) {
      assert.deepEqual(await fetchNames(`Account WHERE Id = '${id}' OR Id = '${none}'`), ['n9'])
    }
    const others = `OwnerId != '${OwnerId.slice(0, 15)}' AND OwnerId != '005000000000001'`
    assert.deepEqual(await fetchNames(`Account WHERE ${others}`), [])
  })
})

describe('labels are compared with a pattern in as many steps as they have characters', () => {
  const zones = async (pattern: string) => {
    const records = await fetchRecords(
      o,
      `SELECT TimeZoneSidKey FROM User WHERE Id = '${o.userId}' AND toLabel(TimeZoneSidKey) LIKE ${quoted(pattern)}`,
    )
    return records.length
  }

  test("toLabel(TimeZoneSidKey) LIKE '%%%...~' is answered", async () => {
    assert.equal(await zones(`${'%'.repeat(30)}~`), 0)
    assert.equal(await zones(`${'%a'.repeat(30)}~`), 0)
    assert.equal(await zones(`${'%_'.repeat(1900)}~`), 0)
    assert.equal(await zones('%'.repeat(3900)), 1)
  })

  test('a label is like a pattern when a text is', async () => {
    const labels = ['Acme', 'ACME Ltd', 'a_c%e', 'ac\\me', 'Ünï😀x', 'x', 'aaab', 'abab']
    const values = labels.map((label, i) => ({ value: `v${i}`, label }))
    const own = { name: 'Own__c', type: 'picklist', label: 'Own', values } as const
    const account = { name: 'Account', label: 'Account', labelPlural: 'Accounts', keyPrefix: '001' }
    await o.deploy([{ ...account, fields: [own] }])
    for (const [i, Name] of labels.entries()) await o.create('Account', { Name, Own__c: `v${i}` })
    const patterns = [
      'acme',
      'ac%',
      '%me',
      '%c%e',
      '_c_e',
      'a\\_c\\%e',
      '%\\\\%',
      'ünï_x',
      '_',
      '%ab',
      'a%a%b',
    ]
    for (const pattern of [
      ...patterns,
      '%a%b',
      '%_',
      '%',
      '%%x',
      'a%%%b%',
      '%b%b%',
      '_%_%_%_%_',
      '%ME_LTD',
      'x%x',
      'ab%ab',
    ]) {
      const like = `LIKE '${pattern}' ORDER BY Id`
      const named = await fetchNames(`Account WHERE Own__c != null AND Name ${like}`)
      assert.deepEqual(await fetchNames(`Account WHERE toLabel(Own__c) ${like}`), named, pattern)
    }
  })

  test('a query that compares too many labels is refused before it begins', async () => {
    const many = Array(500).fill("toLabel(TimeZoneSidKey) LIKE '%x%'").join(' OR ')
    const { status, body } = await askInBatch(`q=${encodeURIComponent(`SELECT Id FROM User WHERE ${many}`)}`)
    assert.equal(status, 400)
    assert.equal(body[0].errorCode, 'QUERY_TOO_COMPLICATED')
  })
})

describe('what costs much for each record is bounded', () => {
  test('FORMAT is selected at most 300 times', async () => {
    const formatted = (count: number) =>
      Array.from({ length: count }, (_, i) => `FORMAT(AnnualRevenue) a${i}`).join(', ')
    const path = (count: number) =>
      `q=${encodeURIComponent(`SELECT ${formatted(count)} FROM Account LIMIT 1`)}`
    assert.equal((await askInBatch(path(300))).status, 200)
    const { status, body } = await askInBatch(path(301))
    assert.equal(status, 400)
    assert.equal(body[0].errorCode, 'QUERY_TOO_COMPLICATED')
  })

  test('a search has wildcards inside at most 50 words', async () => {
    const find = (count: number) => {
      const words = Array.from({ length: count }, (_, i) => `w${i}*x`).join(' OR ')
      return o.call('GET', `/search?q=${encodeURIComponent(`FIND {${words}} RETURNING Account(Id)`)}`)
    }
    assert.equal((await find(50)).status, 200)
    const { status, body } = await find(51)
    assert.equal(status, 400)
    assert.equal(body[0].errorCode, 'MALFORMED_SEARCH')
  })

  test('a few and many values of a list find the same', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => `'n${i}'`).join(',')
    for (const count of [200, 201, 3000]) {
      assert.deepEqual(await fetchNames(`Account WHERE Name IN (${list(count)}) ORDER BY Name`), [
        'n7',
        'N8',
        'n9',
      ])
      const others = `Account WHERE Industry = 'Energy' AND Name NOT IN (${list(count)})`
      assert.deepEqual(await fetchNames(others), ['other'])
      assert.deepEqual(
        await fetchNames(`Account WHERE Name = 'other' OR Name IN (${list(count)}) ORDER BY Name`),
        ['n7', 'N8', 'n9', 'other'],
      )
    }
  })
})
