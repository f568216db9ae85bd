import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* Bulk jobs of jsforce, unmodified, over a real port. */

let conn: Connection
let close: JsforceClient['close']

before(async () => {
  ;({ conn, close } = await openJsforceClient())
  conn.bulk2.pollInterval = 50
  conn.bulk2.pollTimeout = 90_000
})
after(() => close())

const load = (operation: 'insert' | 'update' | 'upsert' | 'delete', input: unknown, more = {}) =>
  conn.bulk2.loadAndWaitForResults({ object: 'Account', operation, input: input as never, ...more })

interface Row {
  readonly sf__Id: string
  readonly sf__Created: string
}

const ids = (rows: readonly unknown[]) => (rows as Row[]).map(({ sf__Id }) => ({ Id: sf__Id }))
const created = (rows: readonly unknown[]) => [
  ...new Set((rows as Row[]).map(({ sf__Created }) => sf__Created)),
]

describe('a load', () => {
  test('inserts 200 records and refuses one without a name, with its error', async () => {
    const good = Array.from({ length: 200 }, (_, n) => ({ Name: `Bulk ${n}`, NumberOfEmployees: n }))
    const { successfulResults, failedResults, unprocessedRecords } = await load('insert', [
      ...good,
      { Name: null, NumberOfEmployees: 1 },
    ])
    assert.equal(successfulResults.length, 200)
    assert.deepEqual(created(successfulResults), ['true'])
    const [refused] = failedResults as unknown as { sf__Error: string; sf__Id: string }[]
    assert.deepEqual([refused!.sf__Id, failedResults.length], ['', 1])
    assert.match(refused!.sf__Error, /^REQUIRED_FIELD_MISSING:Required fields are missing: \[Name\]:Name --$/)
    assert.deepEqual(unprocessedRecords, [])
  })

  test('updates, clears and deletes', async () => {
    const { successfulResults } = await load('insert', [{ Name: 'u', Phone: '1' }])
    const [{ Id }] = ids(successfulResults) as [{ Id: string }]
    const updated = await load('update', [{ Id, Phone: null }])
    assert.deepEqual(created(updated.successfulResults), ['false'])
    assert.equal((await conn.sobject('Account').retrieve(Id)).Phone, null)
    const deleted = await load('delete', [{ Id }])
    assert.deepEqual(created(deleted.successfulResults), ['false'])
    assert.equal((await conn.sobject('Account').findOne({ Id })) ?? null, null)
  })

  test('of nothing gives three empty lists', async () => {
    for (const operation of ['insert', 'delete'] as const) {
      assert.deepEqual(await load(operation, []), {
        successfulResults: [],
        failedResults: [],
        unprocessedRecords: [],
      })
    }
  })

  test('upserts rows without an id by Id, with another delimiter, and by a key', async () => {
    const rows = Array.from({ length: 10 }, (_, n) => `upsert ${n}\`${n}`)
    const { successfulResults } = await load(
      'upsert',
      Readable.from([`NAME\`NUMBEROFEMPLOYEES\n${rows.join('\n')}`]),
      {
        externalIdFieldName: 'Id',
        columnDelimiter: 'BACKQUOTE',
        lineEnding: 'LF',
      },
    )
    assert.deepEqual(created(successfulResults), ['true'])
    const byKey = { externalIdFieldName: 'Key__c' }
    await load('upsert', [{ Key__c: 'k', Name: 'one' }], byKey)
    const again = await load('upsert', [{ Key__c: 'k', Name: 'two' }], byKey)
    assert.deepEqual(created(again.successfulResults), ['false'])
  })

  test('of a file for another object fails with the reason', async () => {
    const { name, message } = await catchError(
      conn.bulk2.loadAndWaitForResults({
        object: 'Contact',
        operation: 'insert',
        input: [{ NumberOfEmployees: 1 }],
      }),
    )
    assert.match(`${name} ${message}`, /Field name not found : NumberOfEmployees|Job failed/)
  })
})

describe('a query', () => {
  test('gives as many records as are counted', async () => {
    const rows = await (await conn.bulk2.query('SELECT Id, Name FROM Account')).toArray()
    const { totalSize } = await conn.query('SELECT COUNT() FROM Account')
    assert.equal(rows.length, totalSize)
    assert.ok(rows.every((row) => /^001\w{15}$/.test((row as { Id: string }).Id)))
  })
})

test('records that a query finds are updated by a job', async () => {
  await load(
    'insert',
    Array.from({ length: 250 }, (_, n) => ({ Name: `many ${n}`, BillingState: 'x' })),
  )
  const many = () => conn.sobject('Account').find({ Name: { $like: 'many %' } })
  const options = { allowBulk: true, bulkThreshold: 200, bulkApiVersion: 2 } as const
  await many().update({ BillingState: null } as never, 'Account', options as never)
  const { totalSize } = await conn.query(
    "SELECT COUNT() FROM Account WHERE Name LIKE 'many %' AND BillingState = null",
  )
  assert.equal(totalSize, 250)
})
