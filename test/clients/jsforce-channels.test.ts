import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { StreamingExtension } from 'jsforce/lib/api/streaming.js'
import { fetchSteps } from '../support/deploying.ts'
import { type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'
import type { TestOrg } from '../support/org.ts'

/* Further ways in which the jsforce of the registry, unmodified, follows channels; jsforce-streaming.test.ts has the first ones. */

const EVENTS = '/event/Shipped__e'

let o: TestOrg
let conn: Connection
let close: JsforceClient['close']

before(async () => {
  ;({ o, conn, close } = await openJsforceClient())
  const Number__c = { type: 'string', length: 10 } as const
  const objects = { Account: { changeEvents: true }, Shipped__e: { fields: { Number__c } } }
  await fetchSteps(o, objects, { mode: 'keep' })
})
after(() => close())

/** Gives the first messages. */
function collect(count: number) {
  // biome-ignore lint/suspicious/noExplicitAny: messages of several channels
  const { promise, resolve } = Promise.withResolvers<readonly any[]>()
  const messages: unknown[] = []
  const listen = (message: unknown) => {
    messages.push(message)
    if (messages.length === count) resolve(messages)
  }
  return { promise, listen }
}

describe('jsforce', () => {
  test('follows changes by streaming.topic and streaming.channel', async () => {
    const [topic, channel] = [collect(1), collect(1)]
    await conn.streaming.topic('/data/AccountChangeEvent').subscribe(topic.listen)
    await conn.streaming.channel(EVENTS).subscribe(channel.listen)
    await conn.sobject('Account').create({ Name: 'Acme' })
    await conn.sobject('Shipped__e').create({ Number__c: 'T-1' })
    assert.equal((await topic.promise)[0].payload.Name, 'Acme')
    assert.equal((await channel.promise)[0].payload.Number__c, 'T-1')
  })

  test('follows platform events from before with both extensions, and goes on with new ones', async () => {
    await conn.sobject('Shipped__e').create({ Number__c: 'R-1' })
    const { promise, listen } = collect(3)
    const failure = new StreamingExtension.AuthFailure((message: unknown) =>
      assert.fail(JSON.stringify(message)),
    )
    const client = conn.streaming.createClient([failure, new StreamingExtension.Replay(EVENTS, -2)])
    await client.subscribe(EVENTS, listen)
    await conn.sobject('Shipped__e').create({ Number__c: 'R-2' })
    const numbers = (await promise).map(({ payload }) => payload.Number__c)
    assert.deepEqual(numbers, ['T-1', 'R-1', 'R-2'])
    await (client as unknown as { disconnect(): PromiseLike<void> }).disconnect()
  })
})
