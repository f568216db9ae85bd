import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Connection } from 'jsforce'
import { makeAccounts, writeAccounts } from '../../support/account-rows.sql.ts'
import type { Answer } from '../../support/org.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'

/* Headers that clients send and read. */

let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: TrapsClient['conn']
let close: TrapsClient['close']

before(async () => {
  ;({ as, o, conn, close } = await openTrapsClient())
  await writeAccounts(o, makeAccounts(250))
})
after(() => close())

// 4
for (const [title, name] of [
  ['restforce', 'restforce'],
  ['django-salesforce', 'djangoSalesforce'],
] as const) {
  test(`${title}: the word before the token may be OAuth`, async () => {
    const { status, body } = await as(name).get('/query/?q=SELECT+Username+FROM+User')
    assert.deepEqual([status, body.records[0].Username], [200, 'admin@objectry.test'])
    const stranger = await as(name, `${o.token}x`).get('/query/?q=SELECT+Username+FROM+User')
    assert.deepEqual([stranger.status, stranger.body[0].errorCode], [401, 'INVALID_SESSION_ID'])
  })
}

/** As the tap reads them: it stops when the header has anything else in it. */
function used({ headers }: Answer): number {
  const [, calls, max] = /^api-usage=(\d+)\/(\d+)$/.exec(String(headers['sforce-limit-info'])) ?? []
  assert.equal(max, '15000', `Sforce-Limit-Info: ${headers['sforce-limit-info']}`)
  return Number(calls)
}

// 5
test('tap-salesforce: a header of every answer has only the calls that were made, and each call counts one', async () => {
  const tap = as('tap')
  const created = await tap.post('/sobjects/Account', { Name: 'Counted' })
  const path = `/sobjects/Account/${created.body.id}`
  const batchRequests = [{ method: 'GET', url: `${tap.base}/sobjects/Account/describe` }]
  const answers = [
    created,
    await tap.get('/sobjects'),
    await tap.get('/queryAll?q=SELECT+Id+FROM+User'),
    await tap.get('/query?q=SELECT'),
    await tap.post('/composite/batch', { batchRequests }),
    await tap.patch(path, { Phone: '1' }),
    await tap.send('HEAD', path),
    await tap.send('DELETE', path),
    await tap.get(path),
    await tap.get('/nothing'),
    await tap.get('/limits'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 200, 200, 400, 200, 204, 200, 204, 404, 404, 200],
  )
  const first = used(created)
  assert.deepEqual(
    answers.map(used),
    answers.map((_, n) => first + n),
  )
  const { DailyApiRequests } = answers.at(-1)!.body
  assert.deepEqual(DailyApiRequests, { Max: 15_000, Remaining: 15_000 - used(answers.at(-1)!) })
})

// 5
test('simple-salesforce: the calls that were made are found behind api-usage=', async () => {
  const { headers } = await as('simpleSalesforce').get('/query/?q=SELECT+Id+FROM+User')
  const [, calls, max] = /api-usage=(\d+)\/(\d+)/.exec(String(headers['sforce-limit-info']))!
  assert.ok(Number(calls) > 0)
  assert.equal(max, '15000')
})

// 5
test('jsforce: the calls that were made are its limitInfo after each call', async () => {
  await conn.query('SELECT Id FROM User')
  const before = conn.limitInfo.apiUsage!
  await conn.query('SELECT Id FROM User')
  assert.deepEqual(conn.limitInfo.apiUsage, { used: before.used + 1, limit: 15_000 })
})

// 5
test('django-salesforce: the first answer has the calls that were made', async () => {
  const answer = await as('djangoSalesforce').get(
    '/query/?q=SELECT+COUNT%28Organization.Id%29+x_sf_count+FROM+Organization',
  )
  assert.equal(answer.body.records[0].x_sf_count, 1)
  assert.ok(used(answer) > 0)
})

// 6
test('all clients: both names of the header have the calls that were made', async () => {
  const { headers } = await as('sf').get('/sobjects')
  assert.match(String(headers['svc-limit-info']), /^api-usage=\d+\/15000$/)
  assert.equal(headers['svc-limit-info'], headers['sforce-limit-info'])
})

// 6
test('taps, Airbyte: the size of a page is asked for under both names', async () => {
  const sizeWith = async (name: 'tap' | 'airbyte', header: string) => {
    const path = '/queryAll?q=SELECT+Id+FROM+Account'
    const { body } = await as(name).get(path, { [header]: 'batchSize=200' })
    return [body.records.length, body.totalSize > 200, body.done]
  }
  assert.deepEqual(await sizeWith('tap', 'Sforce-Query-Options'), [200, true, false])
  assert.deepEqual(await sizeWith('airbyte', 'Sforce-Query-Options'), [200, true, false])
  assert.deepEqual(await sizeWith('airbyte', 'Svc-Query-Options'), [200, true, false])
})

// 6
test('jsforce: its call options, and headers of a call, are taken', async () => {
  const { version, instanceUrl, accessToken } = conn
  const connection = new Connection({
    ...{ version, instanceUrl, accessToken: accessToken! },
    callOptions: { client: 'a client', defaultNamespace: 'ns' },
  })
  const headers = { 'Sforce-Query-Options': 'batchSize=200' }
  const { records } = await connection.query('SELECT Id FROM Account', { headers })
  assert.equal(records.length, 200)
  const unassigned = { 'Sforce-Auto-Assign': 'FALSE' }
  const { success } = await connection
    .sobject('Lead')
    .create({ LastName: 'Unassigned', Company: 'Acme' }, { headers: unassigned })
  assert.equal(success, true)
})

// 6
test('sf: a record is created without assignment rules when it says so', async () => {
  const sent = {
    body: { LastName: 'Unassigned', Company: 'Acme' },
    headers: { 'Sforce-Auto-Assign': 'FALSE' },
  }
  const { status, body } = await as('sf').send('POST', '/sobjects/Lead', sent)
  assert.equal(status, 201)
  const { OwnerId } = (await as('sf').get(`/sobjects/Lead/${body.id}`)).body
  assert.equal(OwnerId, o.userId)
})
