import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { fetchCounts } from '../support/faults.ts'
import { authorize, catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'
import type { TestOrg } from '../support/org.ts'

/* The jsforce of the registry, unmodified, survives injected faults, over a real port. */

let o: TestOrg
let conn: Connection
let calls: JsforceClient['calls']
let connect: JsforceClient['connect']
let loginUrl: string
let close: JsforceClient['close']

before(async () => {
  ;({ o, conn, calls, connect, loginUrl, close } = await openJsforceClient({ allowFaults: 'true' }))
  await writeAccounts(o, makeAccounts(200))
})
after(() => close())

/** Sets the only plan, in the server that jsforce talks to, which applies it at once. */
async function meet(plan: object): Promise<void> {
  const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(plan)
  const { status } = await fetch(`${loginUrl}/setup/faults/plan`, { method: 'PUT', headers, body })
  assert.equal(status, 200)
  calls.length = 0
}

const once = { until: { count: 1 } }
const statuses = () => calls.map(({ status }) => status)
const TEXT = "SELECT Id FROM Account WHERE Name LIKE 'account %'"
const accounts = async (name: string) =>
  (await o.call('GET', `/query?q=${encodeURIComponent(`SELECT Id FROM Account WHERE Name = '${name}'`)}`))
    .body.totalSize

describe('jsforce', () => {
  test('gets another token and repeats the call when its own is revoked', async () => {
    let refreshed = 0
    const fresh = connect()
    await authorize(fresh)
    const stale = connect({
      instanceUrl: loginUrl,
      accessToken: fresh.accessToken!,
      refreshFn: async (_connection, done) => {
        refreshed++
        await authorize(fresh)
        done(null, fresh.accessToken!)
      },
    })
    await meet({ ...once, effect: { token: 'expired' } })
    assert.equal((await stale.query('SELECT Id FROM Organization')).totalSize, 1)
    assert.equal(refreshed, 1)
    assert.deepEqual(statuses(), [401, 200, 200])
  })

  test('loses no record of 200 in pages of 7', async () => {
    await meet({ match: { route: '/query' }, effect: { pageRows: 7 } })
    const { records, totalSize } = await conn.query(TEXT, { autoFetch: true, maxFetch: 1000 })
    assert.equal(totalSize, 200)
    assert.equal(new Set(records.map(({ Id }) => Id)).size, 200)
    assert.equal(calls.length, Math.ceil(200 / 7))
  })

  test('repeats a GET when an edge or the server is not there', async () => {
    for (const status of [502, 503]) {
      await meet({ ...once, effect: { status } })
      assert.equal((await conn.query('SELECT Id FROM Organization')).totalSize, 1)
      assert.deepEqual(statuses(), [status, 200])
    }
  })

  test('does not repeat a GET whose connection is closed without an answer', async () => {
    await meet({ ...once, effect: { cut: 'beforeCommit' } })
    const error = await catchError(conn.query('SELECT Id FROM Organization'))
    assert.match(String((error as Error).cause), /other side closed/)
    assert.equal((await conn.query('SELECT Id FROM Organization')).totalSize, 1)
    assert.deepEqual(await fetchCounts(o), [2, 1])
  })

  test('does not repeat what is refused because the calls are used up', async () => {
    await meet({ ...once, effect: { limit: 'total' } })
    const error = await catchError(conn.query('SELECT Id FROM Organization'))
    assert.deepEqual([error.name, error.message], ['REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.'])
    assert.deepEqual(statuses(), [403])
  })

  test('does not know whether a create happened whose connection is cut: before the commit, or after it', async () => {
    for (const [cut, count] of [
      ['beforeCommit', 0],
      ['afterCommit', 1],
    ] as const) {
      await meet({ match: { method: 'POST' }, effect: { cut } })
      const error = await catchError(conn.sobject('Account').create({ Name: cut }))
      assert.match(String((error as Error).cause), /other side closed/)
      assert.deepEqual(statuses(), [])
      assert.equal(await accounts(cut), count)
      assert.deepEqual(await fetchCounts(o), [1, 1])
    }
  })
})
