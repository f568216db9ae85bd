import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fetchNames, fetchRecords } from '../../support/ask.ts'
import type { Answer } from '../../support/org.ts'
import { family } from '../../support/sf-files.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'

/* Calls made of calls, and how clients read them. */

let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: TrapsClient['conn']
let close: TrapsClient['close']

before(async () => {
  ;({ as, o, conn, close } = await openTrapsClient())
})
after(() => close())

const MISSING = {
  statusCode: 'REQUIRED_FIELD_MISSING',
  message: 'Required fields are missing: [Name]',
  fields: ['Name'],
}
const ROLLED_BACK = {
  statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK',
  message: 'Record rolled back because not all records were valid and the request was using AllOrNone header',
  fields: [],
}
const refused = (error: object) => ({ success: false, errors: [error] })

// 18
test('jsforce: a record of a list that fails has a statusCode and no id', async () => {
  const create = (allOrNone: boolean) =>
    conn.sobject('Account').create([{ Name: allOrNone ? 'All' : 'Some' }, {}], { allOrNone })
  const [good, bad] = await create(false)
  assert.deepEqual({ ...good, id: good!.id!.length }, { id: 18, success: true, errors: [] })
  assert.deepEqual(bad, refused(MISSING))
  assert.deepEqual(await create(true), [refused(ROLLED_BACK), refused(MISSING)])
  assert.deepEqual(await fetchNames(o, "Account WHERE Name IN ('All', 'Some')"), ['Some'])
})

// 18
test('django-salesforce: a record that was rolled back with a list says so in its statusCode', async () => {
  const records = ['Bulk', undefined].map((Name) => ({ attributes: { type: 'Account' }, Name }))
  const client = as('djangoSalesforce')
  const { status, body } = await client.post('/composite/sobjects', { allOrNone: true, records })
  assert.deepEqual([status, body], [200, [refused(ROLLED_BACK), refused(MISSING)]])
  assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Bulk'"), [])
})

/** Returns the error that restforce raises for a composite of which all or nothing is wanted, or undefined if it raises none. */
function raisedBy({ body }: Answer): string | undefined {
  const results: { httpStatusCode: number; body: { errorCode: string }[] }[] = body.compositeResponse
  const isFailed = results.some(({ httpStatusCode }) => {
    // It takes the status apart into digits, which only a whole number has.
    assert.ok(Number.isInteger(httpStatusCode))
    return Math.floor(httpStatusCode / 100) === 4
  })
  return isFailed
    ? results.findLast(({ httpStatusCode }) => httpStatusCode !== 412)!.body[0]!.errorCode
    : undefined
}

const steps = (base: string, last: object) => [
  { method: 'POST', url: `${base}/sobjects/Account`, referenceId: 'a', body: { Name: 'Step' } },
  { method: 'PATCH', url: `${base}/sobjects/Account/@{a.id}`, referenceId: 'b', body: { Phone: '1' } },
  { method: 'POST', url: `${base}/sobjects/Contact`, referenceId: 'c', body: last },
]

// 19
test('restforce: the status of a step is a whole number, and a step that fails has an array of errors', async () => {
  const client = as('restforce')
  const post = (last: object) =>
    client.post('/composite', {
      allOrNone: true,
      collateSubrequests: false,
      compositeRequest: steps(client.base, last),
    })
  const good = await post({ LastName: 'Step', AccountId: '@{a.id}' })
  assert.equal(raisedBy(good), undefined)
  const [a, b, c] = good.body.compositeResponse
  const location = `${client.base}/sobjects/Account/${a.body.id}`
  assert.deepEqual(a, {
    body: { id: a.body.id, success: true, errors: [] },
    httpHeaders: { Location: location },
    httpStatusCode: 201,
    referenceId: 'a',
  })
  assert.deepEqual(b, { body: null, httpHeaders: {}, httpStatusCode: 204, referenceId: 'b' })
  assert.equal(c.httpStatusCode, 201)
  assert.equal(raisedBy(await post({})), 'REQUIRED_FIELD_MISSING')
})

// 19
test('django-salesforce: steps that were rolled back with another one have 400 and PROCESSING_HALTED', async () => {
  const client = as('djangoSalesforce')
  const compositeRequest = steps(client.base, {})
  const { status, body } = await client.post('/composite/', { allOrNone: true, compositeRequest })
  assert.equal(status, 200)
  const reported = body.compositeResponse.map(
    ({ referenceId, httpStatusCode, httpHeaders, body }: Answer['body']) => [
      referenceId,
      httpStatusCode,
      httpHeaders,
      body[0].errorCode,
    ],
  )
  assert.deepEqual(reported, [
    ['a', 400, {}, 'PROCESSING_HALTED'],
    ['b', 400, {}, 'PROCESSING_HALTED'],
    ['c', 400, {}, 'REQUIRED_FIELD_MISSING'],
  ])
})

// 20
test('restforce: a batch has addresses that begin with the version, and its records as richInput', async () => {
  const client = as('restforce')
  const id = await o.create('Account', { Name: 'Batch' })
  const account = 'v62.0/sobjects/Account'
  const batchRequests = [
    { method: 'POST', url: account, richInput: { Name: 'Batch 2' } },
    { method: 'PATCH', url: `${account}/${id}`, richInput: { Phone: '62' } },
    { method: 'DELETE', url: `${account}/001000000000001AAA` },
    { method: 'DELETE', url: `${account}/${id}` },
  ]
  const post = async (haltOnError: boolean) => {
    const { status, body } = await client.post('/composite/batch', { batchRequests, haltOnError })
    assert.deepEqual([status, Object.keys(body), body.hasErrors], [200, ['hasErrors', 'results'], true])
    return body.results
  }
  const [created, ...halted] = await post(true)
  assert.deepEqual(
    { ...created, result: { ...created.result, id: created.result.id.length } },
    { statusCode: 201, result: { id: 18, success: true, errors: [] } },
  )
  const reported = ({ statusCode, result }: Answer['body']) => [statusCode, result?.[0].errorCode]
  const lost = [404, 'INVALID_CROSS_REFERENCE_KEY']
  assert.deepEqual(halted.map(reported), [[204, undefined], lost, [412, 'BATCH_PROCESSING_HALTED']])
  assert.equal((await fetchRecords(o, `SELECT Phone FROM Account WHERE Id = '${id}'`))[0]!.Phone, '62')
  const [, ...all] = await post(false)
  assert.deepEqual(all.map(reported), [[204, undefined], lost, [204, undefined]])
  assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 'Batch%'"), ['Batch 2', 'Batch 2'])
})

// 20
test('tap-salesforce: a batch has whole paths, and describes the objects that a list of 25 names', async () => {
  const tap = as('tap')
  const { sobjects } = (await tap.get('/sobjects')).body
  const names: string[] = sobjects.slice(0, 25).map(({ name }: { name: string }) => name)
  const batchRequests = names.map((name) => ({ method: 'GET', url: `${tap.base}/sobjects/${name}/describe` }))
  const { body } = await tap.post('/composite/batch', { haltOnError: true, batchRequests })
  assert.equal(body.hasErrors, false)
  assert.deepEqual(
    body.results.map(({ statusCode, result }: Answer['body']) => [statusCode, result.name]),
    names.map((name) => [200, name]),
  )
})

// 21
test('sf: a tree answers 201 with the id of each of its references', async () => {
  const { status, body } = await as('sf').post(
    '/composite/tree/Account',
    family('Tree', { LastName: 'Leaf' }),
  )
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['hasErrors', 'results'])
  assert.equal(body.hasErrors, false)
  const [account, contact] = body.results
  assert.deepEqual(account, { referenceId: 'AccountRef1', id: account.id })
  assert.deepEqual(contact, { referenceId: 'ContactRef1', id: contact.id })
  assert.deepEqual(
    await fetchRecords(o, `SELECT LastName, AccountId FROM Contact WHERE Id = '${contact.id}'`),
    [{ LastName: 'Leaf', AccountId: account.id }],
  )
})

// 21
test('sf: children below a relationship whose name ends in __r are part of the tree', async () => {
  const records = [
    {
      attributes: { type: 'Account', referenceId: 'top' },
      Name: 'Custom tree',
      Specimens__r: {
        records: [{ attributes: { type: 'Specimen__c', referenceId: 'low' }, Name: 'Low', Count__c: '3' }],
      },
    },
  ]
  const { status, body } = await as('sf').post('/composite/tree/Account', { records })
  assert.deepEqual([status, body.hasErrors], [201, false])
  const found = await fetchRecords(
    o,
    "SELECT Name, Count__c FROM Specimen__c WHERE Account__r.Name = 'Custom tree'",
  )
  assert.deepEqual(found, [{ Name: 'Low', Count__c: 3 }])
})
