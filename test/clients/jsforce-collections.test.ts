import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Connection, SaveResult } from 'jsforce'
import { catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* Many records through one call of jsforce, unmodified, over a real port. */

let conn: Connection
let calls: JsforceClient['calls']
let connect: JsforceClient['connect']
let close: JsforceClient['close']

before(async () => {
  ;({ conn, calls, connect, close } = await openJsforceClient())
})
after(() => close())

const accounts = () => conn.sobject('Account')

/** The names of all accounts, sorted. */
async function names(): Promise<string[]> {
  const { records } = await conn.query<{ Name: string }>('SELECT Name FROM Account ORDER BY Name')
  return records.map(({ Name }) => Name)
}

const idsOf = (results: readonly SaveResult[]) => results.map(({ id }) => id!)
const successes = (results: readonly SaveResult[]) => results.map(({ success }) => success)

/** The codes of each record's errors. */
const codes = (results: readonly SaveResult[]) =>
  results.map(({ errors }) => errors.map((error) => (error as unknown as { statusCode: string }).statusCode))

const ROLLED_BACK = 'ALL_OR_NONE_OPERATION_ROLLED_BACK'

/** The addresses that were called, without what follows the path. */
const called = () => calls.map(({ method, url }) => `${method} ${url.split('?')[0]!.slice(20)}`)

beforeEach(async () => {
  const { records } = await conn.query<{ Id: string }>('SELECT Id FROM Account')
  const results = await accounts().destroy(
    records.map(({ Id }) => Id),
    { allowRecursive: true },
  )
  assert.ok(results.every(({ success }) => success))
  calls.length = 0
})

describe('a list of records', () => {
  test('is created, read, updated and deleted by one call each', async () => {
    const created = await accounts().create([{ Name: 'a' }, { Name: 'b', NumberOfEmployees: 2 }])
    assert.deepEqual(successes(created), [true, true])
    const [a, b] = idsOf(created) as [string, string]
    const updated = await accounts().update([
      { Id: a, Name: 'a 2' },
      { Id: b, NumberOfEmployees: null },
    ])
    assert.deepEqual(updated, [
      { id: a, success: true, errors: [] },
      { id: b, success: true, errors: [] },
    ])
    const read = await accounts().retrieve([b, a], { fields: ['Name', 'NumberOfEmployees'] })
    assert.deepEqual(
      read.map(({ Name, NumberOfEmployees }) => [Name, NumberOfEmployees]),
      [
        ['b', null],
        ['a 2', null],
      ],
    )
    assert.deepEqual(successes(await accounts().destroy([a, b])), [true, true])
    assert.deepEqual(called(), [
      'POST /composite/sobjects',
      'PATCH /composite/sobjects',
      'POST /composite/sobjects/Account',
      'DELETE /composite/sobjects',
    ])
    assert.deepEqual(await names(), [])
  })

  test('is read with all fields of its object, and null for a record that is not there', async () => {
    const [id, gone] = idsOf(await accounts().create([{ Name: 'here' }, { Name: 'gone' }])) as [
      string,
      string,
    ]
    await accounts().destroy(gone)
    const read = await accounts().retrieve([gone, id, '001000000000001AAA', 'not an id'])
    assert.deepEqual(
      read.map((record) => record?.Name),
      [undefined, 'here', undefined, undefined],
    )
    assert.equal(read[0], null)
    const { fields } = await conn.describe$('Account')
    assert.deepEqual(
      Object.keys(read[1]!).toSorted(),
      ['attributes', ...fields.map(({ name }) => name)].toSorted(),
    )
  })

  test('may be of several objects', async () => {
    // jsforce takes the type from the attributes when none is given; its types know of that for single records only.
    const records = [
      { attributes: { type: 'Account' }, Name: 'mixed' },
      { attributes: { type: 'Contact' }, LastName: 'mixed' },
    ]
    const created = await conn.create('' as 'Account', records as { Name?: string }[])
    assert.deepEqual(
      idsOf(created).map((id) => id.slice(0, 3)),
      ['001', '003'],
    )
  })

  test('is upserted by an external id: each result tells whether it made the record', async () => {
    await accounts().create({ Name: 'old', Key__c: 'k 1' })
    const results = await accounts().upsert(
      [
        { Key__c: 'k 1', Name: 'changed' },
        { Key__c: 'k 2', Name: 'made' },
      ],
      'Key__c',
    )
    assert.deepEqual(
      results.map(({ success, created }) => [success, created]),
      [
        [true, false],
        [true, true],
      ],
    )
    assert.deepEqual(await names(), ['changed', 'made'])
  })
})

describe('without allOrNone', () => {
  test('what can be created is, and the others say why not and have no id', async () => {
    const results = await accounts().create([{ Name: 'good' }, {}, { Name: 'bad', Nope: 1 }])
    assert.deepEqual(successes(results), [true, false, false])
    assert.deepEqual(results[1], {
      success: false,
      errors: [
        {
          statusCode: 'REQUIRED_FIELD_MISSING',
          message: 'Required fields are missing: [Name]',
          fields: ['Name'],
        },
      ],
    })
    assert.deepEqual(codes(results), [[], ['REQUIRED_FIELD_MISSING'], ['INVALID_FIELD']])
    assert.ok(!('id' in results[2]!))
    assert.deepEqual(await names(), ['good'])
  })

  test('what can be updated is, and the others say why not', async () => {
    const [id] = idsOf(await accounts().create([{ Name: 'before' }])) as [string]
    const results = await accounts().update([
      { Id: '001000000000001AAA', Name: 'nobody' },
      { Id: 'not an id', Name: 'nobody' },
      { Id: id, Name: 'after' },
    ])
    assert.deepEqual(successes(results), [false, false, true])
    assert.deepEqual(codes(results), [['INVALID_CROSS_REFERENCE_KEY'], ['MALFORMED_ID'], []])
    assert.deepEqual(await names(), ['after'])
  })

  test('what can be upserted is, and the others say why not', async () => {
    const results = await accounts().upsert([{ Key__c: 'k 1', Name: 'good' }, { Key__c: 'k 2' }], 'Key__c')
    assert.deepEqual(
      results.map(({ success, created }) => [success, created]),
      [
        [true, true],
        [false, true],
      ],
    )
    assert.deepEqual(codes(results), [[], ['REQUIRED_FIELD_MISSING']])
    assert.deepEqual(await names(), ['good'])
  })

  test('what can be deleted is, and the others say why not', async () => {
    const [a, b] = idsOf(await accounts().create([{ Name: 'a' }, { Name: 'b' }])) as [string, string]
    await accounts().destroy(a)
    const results = await accounts().destroy([a, b, '001000000000001AAA'])
    assert.deepEqual(successes(results), [false, true, false])
    assert.deepEqual(codes(results), [['ENTITY_IS_DELETED'], [], ['INVALID_CROSS_REFERENCE_KEY']])
    assert.deepEqual(await names(), [])
  })
})

describe('with allOrNone', () => {
  const allOrNone = { allOrNone: true }

  test('one bad record keeps all others from being created', async () => {
    const results = await accounts().create([{ Name: 'good' }, {}, { Name: 'good too' }], allOrNone)
    assert.deepEqual(successes(results), [false, false, false])
    assert.deepEqual(codes(results), [[ROLLED_BACK], ['REQUIRED_FIELD_MISSING'], [ROLLED_BACK]])
    assert.ok(results.every((result) => !('id' in result)))
    assert.deepEqual(await names(), [])
  })

  test('one bad record keeps all others from being updated, and they keep their ids', async () => {
    const [id] = idsOf(await accounts().create([{ Name: 'before' }])) as [string]
    const results = await accounts().update(
      [
        { Id: id, Name: 'after' },
        { Id: '001000000000001AAA', Name: 'nobody' },
      ],
      allOrNone,
    )
    assert.deepEqual(codes(results), [[ROLLED_BACK], ['INVALID_CROSS_REFERENCE_KEY']])
    assert.equal(results[0]!.id, id)
    assert.deepEqual(await names(), ['before'])
  })

  test('one bad record keeps all others from being upserted, and each tells whether it were new', async () => {
    await accounts().create({ Name: 'before', Key__c: 'k 1' })
    const results = await accounts().upsert(
      [{ Key__c: 'k 1', Name: 'after' }, { Key__c: 'k 2', Name: 'new' }, { Key__c: 'k 3' }],
      'Key__c',
      allOrNone,
    )
    assert.deepEqual(codes(results), [[ROLLED_BACK], [ROLLED_BACK], ['REQUIRED_FIELD_MISSING']])
    assert.deepEqual(
      results.map(({ created }) => created),
      [false, true, true],
    )
    assert.deepEqual(await names(), ['before'])
  })

  test("a record whose value is no id would have been created too, as jsforce's own test has it", async () => {
    await accounts().create({ Name: 'before', Key__c: 'k 1' })
    const results = await accounts().upsert(
      [
        { Key__c: 'k 2', Name: 'new' },
        { Key__c: 'k 3', Name: 'bad', OwnerId: 'INVALID_OWNER' },
        { Key__c: 'K 1', Name: 'bad', OwnerId: 'INVALID_OWNER' },
      ],
      'Key__c',
      allOrNone,
    )
    assert.deepEqual(codes(results), [[ROLLED_BACK], ['MALFORMED_ID'], ['MALFORMED_ID']])
    assert.deepEqual(
      results.map(({ created }) => created),
      [true, true, false],
    )
  })

  test('one bad record keeps all others from being deleted', async () => {
    const [id] = idsOf(await accounts().create([{ Name: 'stays' }])) as [string]
    const results = await accounts().destroy([id, '001000000000001AAA'], allOrNone)
    assert.deepEqual(codes(results), [[ROLLED_BACK], ['INVALID_CROSS_REFERENCE_KEY']])
    assert.deepEqual(await names(), ['stays'])
  })
})

describe('more than 200 records', () => {
  const many = Array.from({ length: 450 }, (_, n) => ({ Name: `n ${n}`, Key__c: `k ${n}` }))
  const recursive = { allowRecursive: true }

  test('go out in parts with allowRecursive, and the results come in the order of the records', async () => {
    const created = await accounts().create(many, recursive)
    const read = await accounts().retrieve(idsOf(created), { fields: ['Name'] })
    assert.deepEqual(
      read.map(({ Name }) => Name),
      many.map(({ Name }) => Name),
    )
    const updates = idsOf(created).map((Id, n) => ({ Id, Name: `u ${n}` }))
    assert.ok((await accounts().update(updates, recursive)).every(({ success }) => success))
    const upserted = await accounts().upsert(many, 'Key__c', recursive)
    assert.deepEqual(idsOf(upserted), idsOf(created))
    assert.ok(upserted.every((result) => result.created === false))
    assert.ok((await accounts().destroy(idsOf(created), recursive)).every(({ success }) => success))
    assert.deepEqual(
      called().toSorted(),
      [
        ...Array(3).fill('POST /composite/sobjects'),
        'POST /composite/sobjects/Account',
        ...Array(3).fill('PATCH /composite/sobjects'),
        ...Array(3).fill('PATCH /composite/sobjects/Account/Key__c'),
        ...Array(3).fill('DELETE /composite/sobjects'),
      ].toSorted(),
    )
    assert.deepEqual(await names(), [])
  })

  test('are all or none part by part: what went before the bad part stays', async () => {
    const records = [...many.slice(0, 201), {}]
    const results = await accounts().create(records, { ...recursive, allOrNone: true })
    assert.deepEqual(successes(results), [...Array(200).fill(true), false, false])
    assert.equal(await accounts().count(), 200)
  })

  test('are refused as a whole without allowRecursive', async () => {
    assert.equal((await catchError(accounts().create(many))).name, 'EXCEEDED_ID_LIMIT')
    assert.equal((await catchError(accounts().upsert(many, 'Key__c'))).name, 'EXCEEDED_ID_LIMIT')
    assert.equal(await accounts().count(), 0)
  })

  test('are updated and deleted by a condition', async () => {
    await accounts().create(many.slice(0, 120), recursive)
    const updated = await accounts()
      .find({ Name: { $like: 'n %' } })
      .update({ Name: 'same' })
    assert.equal(updated.filter(({ success }) => success).length, 120)
    const destroyed = await accounts().find({ Name: 'same' }).destroy()
    assert.equal(destroyed.filter(({ success }) => success).length, 120)
    assert.equal(await accounts().count(), 0)
  })
})

describe('what is wrong with the whole list refuses the call', () => {
  test('an object, a field to be read and a key that do not exist', async () => {
    const id = (await accounts().create({ Name: 'a' })).id!
    assert.equal((await catchError(conn.sobject('Nope').create([{ Name: 'a' }]))).name, 'INVALID_TYPE')
    assert.equal((await catchError(accounts().retrieve([id], { fields: ['Nope'] }))).name, 'INVALID_FIELD')
    assert.equal((await catchError(accounts().upsert([{ Phone: '1' }], 'Phone'))).name, 'NOT_FOUND')
  })
})

test('before version 42 a list is sent record by record', async () => {
  const { instanceUrl, accessToken } = conn
  const older = connect({ version: '41.0', instanceUrl, accessToken: accessToken! })
  const created = await older.sobject('Account').create([{ Name: 'a' }, {}])
  assert.deepEqual(called(), ['POST /sobjects/Account', 'POST /sobjects/Account'])
  assert.deepEqual(successes(created), [true, false])
})
