import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* PushTopics and generic channels as the jsforce of the registry follows them, unmodified, over a real port. */

let conn: Connection
let close: JsforceClient['close']

before(async () => {
  ;({ conn, close } = await openJsforceClient())
})
after(() => close())

/** Gives the first message that a subscription is told. */
function awaitFirst<Message>() {
  const { promise, resolve } = Promise.withResolvers<Message>()
  return { promise, listen: (message: unknown) => resolve(message as Message) }
}

describe('jsforce', () => {
  test('follows a PushTopic that it created', async () => {
    const created = await conn.sobject('PushTopic').create({
      Name: 'JSforceTestAccountUpdates',
      Query: 'SELECT Id, Name FROM Account',
      ApiVersion: '54.0',
      NotifyForFields: 'Referenced',
      NotifyForOperationCreate: true,
      NotifyForOperationUpdate: true,
      NotifyForOperationDelete: false,
      NotifyForOperationUndelete: false,
    })
    assert.equal(created.success, true)
    const { promise, listen } = awaitFirst<{
      event: { type: string; createdDate: string; replayId: number }
      sobject: { Id: string; Name: string }
    }>()
    const subscription = conn.streaming.topic('JSforceTestAccountUpdates').subscribe(listen)
    await subscription
    const { id } = await conn.sobject('Account').create({ Name: 'My New Account' })
    const { event, sobject } = await promise
    assert.equal(event.type, 'created')
    assert.deepEqual(sobject, { Id: id, Name: 'My New Account' })
    subscription.cancel()
  })

  test('pushes to a generic channel, and is told of it', async () => {
    await conn.sobject('StreamingChannel').create({ Name: '/u/JSforceTestChannel' })
    const channel = conn.streaming.channel('/u/JSforceTestChannel')
    const { promise, listen } = awaitFirst<{ payload: string; event: { createdDate: string } }>()
    const subscription = channel.subscribe(listen)
    await subscription
    const pushed = await channel.push({ payload: 'hello, world', userIds: [] })
    assert.deepEqual(pushed, { fanoutCount: -1, userOnlineStatus: {} })
    const { payload, event } = await promise
    assert.equal(payload, 'hello, world')
    assert.ok(event.createdDate.endsWith('Z'))
    subscription.cancel()
  })
})
