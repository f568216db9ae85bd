import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchNames, fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/*
 * Queries that differ only in the values that they compare with are compiled once, when they come the second time. So each
 * question here is asked several times, with other values between.
 */
let o: TestOrg
const ids: string[] = []

const COUNT = 450
const NAMES = ["O'Hara", 'back\\slash', 'line\nbreak', 'a = 5', "'= 7", 'ünï', '%', '_', 'x > 3 AND y < 4']

before(async () => {
  o = await openOrg()
  for (const [index, name] of NAMES.entries()) {
    ids.push(await o.create('Account', { Name: name, NumberOfEmployees: index, AnnualRevenue: index + 0.5 }))
  }
  await o.create('Account', { Name: 'nothing' })
})

const quote = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const accounts = (condition: string) => fetchNames(o, `Account WHERE ${condition} ORDER BY NumberOfEmployees`)

const ROUNDS = [1, 2, 3]

describe('queries that differ in their values only', () => {
  test('have each their own answer', async () => {
    for (const _ of ROUNDS) {
      for (const [index, name] of NAMES.entries()) {
        assert.deepEqual(await accounts(`Name = ${quote(name)}`), [name])
        assert.deepEqual(await accounts(`NumberOfEmployees < ${index}`), NAMES.slice(0, index))
        assert.deepEqual(await accounts(`NumberOfEmployees=${index} AND Name != 'x'`), [name])
        assert.deepEqual(await accounts(`AnnualRevenue > ${index}.25`), NAMES.slice(index))
        assert.deepEqual(await accounts(`AnnualRevenue >= -${index}`), NAMES)
        const either = `Name = ${quote(name)} OR Name = 'nobody' OR NumberOfEmployees = ${index}`
        assert.deepEqual(await accounts(either), [name])
        assert.deepEqual(await accounts(`Name LIKE 'a = 5' AND NumberOfEmployees <= ${index}`), [
          ...(index >= 3 ? ['a = 5'] : []),
        ])
      }
    }
  })

  test('take ids in both lengths', async () => {
    for (const _ of ROUNDS) {
      for (const [index, id] of ids.entries()) {
        assert.deepEqual(await accounts(`Id = '${id}'`), [NAMES[index]])
        assert.deepEqual(await accounts(`Id = '${id.slice(0, 15)}'`), [NAMES[index]])
      }
    }
  })

  test('tell empty texts and null from values', async () => {
    for (const _ of ROUNDS) {
      assert.deepEqual(await accounts("Name = 'nothing'"), ['nothing'])
      assert.deepEqual(await accounts("Name = ''"), [])
      assert.deepEqual(await accounts('NumberOfEmployees = 1'), [NAMES[1]])
      assert.deepEqual(await accounts('NumberOfEmployees = null'), ['nothing'])
    }
  })

  test('tell small whole numbers from other numbers', async () => {
    for (const _ of ROUNDS) {
      assert.deepEqual(await accounts('NumberOfEmployees < 1'), [NAMES[0]])
      assert.deepEqual(await accounts('NumberOfEmployees < 0.5'), [NAMES[0]])
      assert.deepEqual(await accounts('NumberOfEmployees < 99999999999999999999'), NAMES)
    }
  })

  test('are refused each for its own fault, at its own position', async () => {
    const failures: readonly [string, RegExp][] = [
      ["Id = 'bad'", /invalid ID field: bad/],
      ["Id = 'other'", /invalid ID field: other/],
      ["NumberOfEmployees = '5'", /must be of type int/],
      ["Name = 'x\\q'", /Illegal character sequence/],
      ['Name = 5', /must be of type string/],
      ["Nothing = 'x'", /No such column/],
    ]
    for (const _ of ROUNDS) {
      assert.deepEqual(await accounts(`Id = '${ids[0]}'`), [NAMES[0]])
      for (const [condition, message] of failures) {
        const { status, body } = await ask(o, `SELECT Id FROM Account WHERE ${condition}`)
        assert.equal(status, 400)
        assert.match(body[0].message, message)
      }
    }
  })

  test('name the rows that are made for them', async () => {
    for (const _ of ROUNDS) {
      for (const object of ['Account', 'Contact']) {
        const text = `SELECT QualifiedApiName FROM FieldDefinition WHERE EntityDefinition.QualifiedApiName = '${object}' AND QualifiedApiName = 'Name'`
        assert.equal((await fetchRecords(o, text)).length, 1, object)
      }
    }
  })

  test('have pages and children of their own', async () => {
    const records = Array.from({ length: COUNT }, (_, index) => ({
      attributes: { type: 'Contact' },
      LastName: `page ${index % 2}`,
      AccountId: ids[index % 2],
    }))
    for (let at = 0; at < COUNT; at += 200) {
      const { body } = await o.call('POST', '/composite/sobjects', {
        body: {
          allOrNone: true,
          records: records.slice(at, at + 200),
        },
      })
      assert.ok((body as readonly { success: boolean }[]).every(({ success }) => success))
    }
    for (const _ of ROUNDS) {
      for (const half of [0, 1]) {
        const text = `SELECT LastName FROM Contact WHERE LastName = 'page ${half}'`
        const { body } = await ask(o, text, { 'svc-query-options': 'batchSize=200' })
        assert.equal(body.totalSize, COUNT / 2)
        const { body: rest } = await o.call('GET', body.nextRecordsUrl)
        assert.equal(rest.records.length, COUNT / 2 - 200)
        assert.ok(rest.records.every((one: { LastName: string }) => one.LastName === `page ${half}`))
        const parents = `SELECT (SELECT LastName FROM Contacts WHERE LastName = 'page ${half}') FROM Account WHERE Id = '${ids[half]}'`
        const [parent] = await fetchRecords(o, parents)
        assert.equal((parent as unknown as { Contacts: { totalSize: number } }).Contacts.totalSize, COUNT / 2)
      }
    }
  })
})
