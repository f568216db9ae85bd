import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Connection } from 'jsforce'
import { fetchPlan } from '../support/deploying.ts'
import { type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'
import type { TestOrg } from '../support/org.ts'

/* The jsforce of the registry, unmodified, publishes platform events. */

let o: TestOrg
let conn: Connection
let close: JsforceClient['close']

before(async () => {
  ;({ o, conn, close } = await openJsforceClient())
  await fetchPlan(
    o,
    { Shipped__e: { fields: { Number__c: { type: 'string', length: 10, required: true } } } },
    { mode: 'keep' },
  )
})
after(() => close())

test('one is published, and its result is a success with an error that says so', async () => {
  const result = await conn.sobject('Shipped__e').create({ Number__c: 'A-1' })
  assert.equal(result.success, true)
  assert.match(result.id!, /^e00/)
  assert.deepEqual(
    result.errors.map((error) => (error as { statusCode?: string }).statusCode),
    ['OPERATION_ENQUEUED'],
  )
})

test('several are published, each with a result of its own', async () => {
  const results = await conn
    .sobject('Shipped__e')
    .create([{ Number__c: 'B-1' }, { Number__c: 'longer than ten' }, { Number__c: 'B-3' }])
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, false, true],
  )
})

test('the rows of a bulk job are published', async () => {
  const results = await conn.bulk2.loadAndWaitForResults({
    object: 'Shipped__e',
    operation: 'insert',
    input: [{ Number__c: 'C-1' }, { Number__c: 'C-2' }],
    pollInterval: 100,
    pollTimeout: 30_000,
  })
  assert.equal(results.successfulResults.length, 2)
})

test('it is described as one that is created and not queried', async () => {
  const { sobjects } = await conn.describeGlobal()
  const found = sobjects.find(({ name }) => name === 'Shipped__e')!
  assert.deepEqual([found.createable, found.queryable, found.updateable], [true, false, false])
  const { fields } = await conn.describe('Shipped__e')
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['ReplayId', 'EventUuid', 'CreatedDate', 'CreatedById', 'Number__c'],
  )
})

test('what cannot be done with it is refused with the code of the platform', async () => {
  await assert.rejects(async () => conn.query('SELECT Number__c FROM Shipped__e'), {
    errorCode: 'INVALID_TYPE_FOR_OPERATION',
  })
  const { id } = await conn.sobject('Shipped__e').create({ Number__c: 'D-1' })
  await assert.rejects(conn.sobject('Shipped__e').retrieve(id!), { errorCode: 'INVALID_TYPE_FOR_OPERATION' })
  await assert.rejects(conn.sobject('Shipped__e').destroy(id!), {
    errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
  })
})
