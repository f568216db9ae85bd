import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import type { TestOrg } from '../support/org.ts'
import { openSfClient, SF_NEEDED, type Sf, type SfClient } from '../support/sf.ts'
import type { Fields } from '../support/sf-files.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

/* The sf command of the registry, unmodified, on an org as a whole, over a real port: `npm run test:sf`. */

/** More than two pages of a query hold. */
const TOTAL = 4100

let o: TestOrg
let sf: Sf
let close: SfClient['close']

describe('an org by the sf command', SF_NEEDED, () => {
  before(async () => {
    ;({ o, sf, close } = await openSfClient())
    await o.deploy([SPECIMEN])
    await writeAccounts(o, makeAccounts(TOTAL))
    const AccountId = await o.create('Account', { Name: 'Acme Rockets', NumberOfEmployees: 3 })
    await o.create('Contact', { LastName: 'Rockets', AccountId })
  })
  after(() => close())

  test('gives all records of a query, however many pages they are on', async () => {
    const text = "SELECT Name FROM Account WHERE Name LIKE 'account %' ORDER BY Name"
    const names = makeAccounts(TOTAL).map(({ name }) => name)
    const { result } = await sf.json('data', 'query', '-q', text)
    assert.deepEqual([result.totalSize, result.done], [TOTAL, true])
    assert.deepEqual(
      result.records.map(({ Name }: Fields) => Name),
      names,
    )
    const { out } = await sf.ask('data', 'query', '-q', text, '-r', 'csv')
    assert.deepEqual(out.trimEnd().split('\n'), ['Name', ...names])
  })

  describe('is searched', () => {
    const text = 'FIND {Rockets} IN NAME FIELDS RETURNING Account(Name, NumberOfEmployees), Contact(LastName)'

    test('the records found are shown as a table per object, under the labels of the fields', async () => {
      const { out } = await sf.ask('data', 'search', '-q', text)
      assert.match(out, /Account\n.+\n│ Name +│ Number Of Employees │\n.+\n│ Acme Rockets +│ 3 +│/)
      assert.match(out, /Contact\n.+\n│ Last Name +│\n.+\n│ Rockets +│/)
    })

    test('the records found are written as a file of CSV per object', async () => {
      await sf.ask('data', 'search', '-q', text, '-r', 'csv')
      assert.equal(sf.read('Account.csv'), 'Name,NumberOfEmployees\nAcme Rockets,3')
      assert.equal(sf.read('Contact.csv'), 'LastName\nRockets')
    })

    test('the records found are given as JSON, an empty list where there are none', async () => {
      const { result } = await sf.json('data', 'search', '-q', text)
      assert.deepEqual(
        result.searchRecords.map(({ Name, LastName }: Fields) => Name ?? LastName),
        ['Acme Rockets', 'Rockets'],
      )
      const nothing = await sf.json('data', 'search', '-q', 'FIND {Nowhere} RETURNING Account(Name)')
      assert.deepEqual(nothing.result.searchRecords, [])
    })

    test('an invalid search ends with our message', async () => {
      const { status, name } = await sf.json('data', 'search', '-q', 'FIND Rockets')
      assert.deepEqual([status, name], [1, 'MALFORMED_SEARCH'])
    })
  })

  test('tells its limits, each with two numbers, and how many calls are left', async () => {
    const limits = async (): Promise<{ name: string; max: number; remaining: number }[]> =>
      (await sf.json('org', 'list', 'limits')).result
    const before = await limits()
    for (const { name, max, remaining } of before)
      assert.ok(Number.isInteger(max) && Number.isInteger(remaining), name)
    const calls = (of: Awaited<ReturnType<typeof limits>>) =>
      of.find(({ name }) => name === 'DailyApiRequests')!
    assert.equal(calls(before).max, 15_000)
    assert.ok(calls(await limits()).remaining < calls(before).remaining)
    const { out } = await sf.ask('org', 'list', 'limits')
    assert.match(out, /│ DailyApiRequests +│ 14\d{3} +│ 15000 +│/)
  })

  test('tells how many records it has of each object', async () => {
    const counts = ['org', 'list', 'sobject', 'record-counts']
    const { out } = await sf.ask(...counts, '-s', 'Account', '-s', 'Contact')
    assert.match(out, new RegExp(`│ Account │ ${TOTAL + 1} +│\\n│ Contact │ 1 +│`))
    const { result } = await sf.json(...counts)
    const countOf = (object: string) => result.find(({ name }: Fields) => name === object)?.count
    assert.deepEqual([countOf('Account'), countOf('Organization')], [TOTAL + 1, 1])
  })

  test('lists its objects, those of its own apart, and describes one with its fields', async () => {
    const listed = async (kind: string) => (await sf.json('sobject', 'list', '-s', kind)).result
    assert.deepEqual(await listed('custom'), ['Specimen__c'])
    const all = await listed('all')
    for (const name of ['Account', 'Contact', 'Specimen__c']) assert.ok(all.includes(name), name)
    const { result } = await sf.json('sobject', 'describe', '-s', 'Specimen__c')
    const { fields } = (await o.call('GET', '/sobjects/Specimen__c/describe')).body
    const names = (of: readonly Fields[]) => of.map(({ name }) => name)
    assert.deepEqual(names(result.fields), names(fields))
  })

  test('answers a request by its path, its headers and its status with it when they are asked for', async () => {
    const request = ['api', 'request', 'rest', '/services/data/v64.0/limits/recordCount?sObjects=Contact']
    assert.deepEqual(JSON.parse((await sf.ask(...request)).out), {
      sObjects: [{ count: 1, name: 'Contact' }],
    })
    const { out } = await sf.ask(...request, '--include')
    assert.match(out, /^HTTP\/1\.1 200$/m)
    assert.match(out, /^sforce-limit-info: api-usage=\d+\/15000$/m)
  })
})
