import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from 'jsforce'
import { catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* Version 1 of bulk jobs by jsforce, unmodified, over a real port. */

let conn: Connection
let close: JsforceClient['close']

before(async () => {
  ;({ conn, close } = await openJsforceClient())
  conn.bulk.pollInterval = 50
  conn.bulk.pollTimeout = 90_000
})
after(() => close())

interface Outcome {
  readonly id: string | null
  readonly success: boolean
  readonly created: boolean
  readonly errors: readonly string[]
}

const load = async (
  operation: 'insert' | 'update' | 'upsert' | 'delete' | 'hardDelete',
  input: readonly object[] | string,
) => (await conn.bulk.load('Account', operation, {}, input as never)) as unknown as Outcome[]

describe('a load', () => {
  test('inserts, in the order of the records, and says of each what became of it', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `Classic ${n}`)
    const input = names.map((Name) => ({ Name, NumberOfEmployees: 1 }))
    const outcomes = await load('insert', [...input, { Name: null, NumberOfEmployees: 2 }])
    assert.equal(outcomes.length, 301)
    assert.deepEqual(
      outcomes.slice(0, 300).filter(({ success, created }) => !success || !created),
      [],
    )
    const [first, last] = [outcomes[7]!, outcomes[300]!]
    assert.equal((await conn.sobject('Account').retrieve(first.id!)).Name, 'Classic 7')
    assert.deepEqual(last, {
      id: null,
      success: false,
      created: false,
      errors: ['REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --'],
    })
  })

  test('updates, makes null and deletes', async () => {
    const [created] = await load('insert', [{ Name: 'c', Phone: '1', Site: 's' }])
    const Id = created!.id!
    assert.deepEqual(await load('update', [{ Id, Phone: null, Site: 't' }]), [
      { id: Id, success: true, created: false, errors: [] },
    ])
    const { Phone, Site } = await conn.sobject('Account').retrieve(Id)
    assert.deepEqual([Phone, Site], [null, 't'])
    assert.equal((await load('delete', [{ Id }]))[0]!.success, true)
    assert.equal((await conn.sobject('Account').findOne({ Id })) ?? null, null)
  })

  test('deletes for good', async () => {
    const [created] = await load('insert', [{ Name: 'h' }])
    assert.equal((await load('hardDelete', [{ Id: created!.id! }]))[0]!.success, true)
    const { totalSize } = await conn.query(`SELECT Id FROM Account WHERE Id = '${created!.id}'`, {
      scanAll: true,
    })
    assert.equal(totalSize, 0)
  })

  test('of more than 200 records is what an update of a query does', async () => {
    const Site = 'many'
    await load(
      'insert',
      Array.from({ length: 250 }, (_, n) => ({ Name: `m${n}`, Site })),
    )
    const updated = await conn
      .sobject('Account')
      .find({ Site })
      .update({ Phone: '5' }, 'Account', { bulkApiVersion: 1 })
    assert.equal(updated.length, 250)
    assert.equal(await conn.sobject('Account').count({ Site, Phone: '5' }), 250)
    const destroyed = await conn.sobject('Account').find({ Site }).destroy('Account', { bulkApiVersion: 1 })
    assert.equal(destroyed.length, 250)
    assert.equal(await conn.sobject('Account').count({ Site }), 0)
  })

  test('that cannot be processed fails with the reason', async () => {
    const error = await catchError(load('insert', [{ Nme: 'x' }]))
    assert.match(error.message, /^InvalidBatch : Field name not found : Nme/)
  })
})

describe('a job', () => {
  test('takes several batches while it is open, is described, and is closed', async () => {
    const job = conn.bulk.createJob('Account', 'insert', { concurrencyMode: 'Serial' } as never)
    const batches = ['a', 'b', 'c'].map((Name) => job.createBatch().execute([{ Name }] as never))
    await Promise.all(
      batches.map(
        (batch) =>
          new Promise((resolve, reject) => {
            batch.on('queue', () => batch.poll(20, 60_000))
            batch.on('response', resolve)
            batch.on('error', reject)
          }),
      ),
    )
    const info = (await job.check()) as unknown as Record<string, string>
    assert.deepEqual(
      [info.state, info.concurrencyMode, info.numberBatchesCompleted, info.numberRecordsProcessed],
      ['Open', 'Serial', '3', '3'],
    )
    assert.equal((await job.list()).length, 3)
    assert.equal((await job.close())!.state, 'Closed')
  })

  test('of an object that is not there is refused', async () => {
    const error = await catchError(conn.bulk.createJob('Nothing__x', 'insert').open())
    assert.equal(error.message, "Entity 'Nothing__x' is not supported by the Bulk API.")
    assert.equal((error as { errorCode?: string }).errorCode, 'InvalidEntity')
  })
})

test('a query gives the records', async () => {
  await load('insert', [
    { Name: 'q, "1"', Site: 'query' },
    { Name: 'q\n2', Site: 'query' },
  ])
  const stream = await conn.bulk.query(
    "SELECT Id, Name, Owner.Username FROM Account WHERE Site = 'query' ORDER BY Name",
  )
  const records: Record<string, string>[] = await stream.toArray()
  assert.deepEqual(
    records.map(({ Name }) => Name),
    ['q\n2', 'q, "1"'],
  )
  assert.match(records[0]!['Owner.Username']!, /@/)
  const none = await (await conn.bulk.query("SELECT Id FROM Account WHERE Site = 'nowhere'")).toArray()
  assert.deepEqual(none, [])
  const error = await catchError(conn.bulk.query('SELECT Nme FROM Account'))
  assert.match(error.message, /^InvalidBatch : Failed to process query: INVALID_FIELD: /)
})

test('a token that has ended is known by its code', async () => {
  const { instanceUrl, version } = conn
  const stranger = new Connection({ instanceUrl, version, accessToken: 'nothing' })
  const error = await catchError(stranger.bulk.createJob('Account', 'insert').open())
  assert.equal(error.name, 'InvalidSessionId')
})
