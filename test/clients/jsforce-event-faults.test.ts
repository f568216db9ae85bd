import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { StreamingExtension } from 'jsforce/lib/api/streaming.js'
import { fetchSteps } from '../support/deploying.ts'
import { fetchCounts } from '../support/faults.ts'
import { type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'
import { until } from '../support/until.ts'

/* The streaming of the jsforce of the registry, unmodified, meets faults of events over a real port. */

const CHANNEL = '/data/AccountChangeEvent'

let jsforce: JsforceClient
before(async () => {
  jsforce = await openJsforceClient({ allowFaults: 'true' })
  await fetchSteps(jsforce.o, { Account: { changeEvents: true } }, { mode: 'keep' })
})
after(() => jsforce.close())

/** Sets the only plan, in the server that jsforce talks to. */
async function meet(plan: object): Promise<void> {
  const { loginUrl, o } = jsforce
  const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(plan)
  const { status } = await fetch(`${loginUrl}/setup/faults/plan`, { method: 'PUT', headers, body })
  assert.equal(status, 200)
}

test('jsforce begins again when it is forgotten, and is told what came after', async () => {
  const { conn, o } = jsforce
  const names: unknown[] = []
  const client = conn.streaming.createClient([new StreamingExtension.Replay(CHANNEL, -2)])
  await client.subscribe(CHANNEL, (event: unknown) => {
    names.push((event as { payload: { Name?: string } }).payload.Name)
  })
  await meet({ match: { route: '/cometd/connect' }, until: { count: 1 }, effect: { client: 'unknown' } })
  await conn.sobject('Account').create({ Name: 'before' })
  await until(() => names.includes('before'))
  await until(async () => (await fetchCounts(o))[1] === 1)
  await conn.sobject('Account').create({ Name: 'after' })
  await until(() => names.includes('after'))
  await (client as unknown as { disconnect(): PromiseLike<void> }).disconnect()
})

test('jsforce gets a copy of an event as another event', async () => {
  const { conn } = jsforce
  const ids: number[] = []
  const client = conn.streaming.createClient([])
  await client.subscribe(CHANNEL, (event: unknown) => {
    ids.push((event as { event: { replayId: number } }).event.replayId)
  })
  await meet({ until: { count: 1 }, effect: { event: 'twice' } })
  await conn.sobject('Account').create({ Name: 'twice' })
  await until(() => ids.length === 2)
  assert.ok(ids[1]! > ids[0]!)
  await (client as unknown as { disconnect(): PromiseLike<void> }).disconnect()
})
