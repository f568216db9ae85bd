import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { StreamingExtension } from 'jsforce/lib/api/streaming.js'
import { hashToken } from '../../src/auth/oauth/token-text.ts'
import { revokeSession } from '../../src/auth/tokens/revoke.ts'
import { fetchSteps } from '../support/deploying.ts'
import { type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'
import type { TestOrg } from '../support/org.ts'

/* The streaming of the jsforce of the registry, unmodified, with the faye it brings, over a real port. */

const CHANNEL = '/data/AccountChangeEvent'

interface ChangeEvent {
  readonly payload: { readonly ChangeEventHeader: { readonly changeType: string }; readonly Name?: string }
  readonly event: { readonly replayId: number }
}

let o: TestOrg
let conn: Connection
let connect: JsforceClient['connect']
let close: JsforceClient['close']

before(async () => {
  ;({ o, conn, connect, close } = await openJsforceClient())
  await fetchSteps(o, { Account: { changeEvents: true } }, { mode: 'keep' })
})
after(() => close())

/** The types of jsforce leave it out. */
const disconnect = (client: object) => (client as { disconnect(): PromiseLike<void> }).disconnect()

/** Collects what a client is told, in its order. */
function collect() {
  const events: ChangeEvent[] = []
  const listeners = new Set<() => void>()
  return {
    listen: (event: unknown) => {
      events.push(event as ChangeEvent)
      for (const wake of listeners) wake()
    },
    async take(count: number): Promise<readonly ChangeEvent[]> {
      while (events.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        listeners.add(resolve)
        await promise
        listeners.delete(resolve)
      }
      return events.splice(0, count)
    },
  }
}

describe('jsforce', () => {
  test('is told of changes by conn.streaming, until it unsubscribes', async () => {
    const { listen, take } = collect()
    const subscription = conn.streaming.subscribe(CHANNEL, listen)
    await subscription
    const { id } = await conn.sobject('Account').create({ Name: 'Acme' })
    await conn.sobject('Account').update({ Id: id!, Name: 'Acme Inc' })
    await conn.sobject('Account').destroy(id!)
    const events = await take(3)
    assert.deepEqual(
      events.map(({ payload }) => [payload.ChangeEventHeader.changeType, payload.Name]),
      [
        ['CREATE', 'Acme'],
        ['UPDATE', 'Acme Inc'],
        ['DELETE', undefined],
      ],
    )
    subscription.cancel()
  })

  test('goes on after an event with its replay extension', async () => {
    const { listen, take } = collect()
    const client = conn.streaming.createClient([new StreamingExtension.Replay(CHANNEL, -2)])
    await client.subscribe(CHANNEL, listen)
    const [first] = await take(1)
    await disconnect(client)
    const later = collect()
    const replay = new StreamingExtension.Replay(CHANNEL, first!.event.replayId)
    const again = conn.streaming.createClient([replay])
    await again.subscribe(CHANNEL, later.listen)
    const [second] = await later.take(1)
    assert.ok(second!.event.replayId > first!.event.replayId)
    assert.equal(second!.payload.ChangeEventHeader.changeType, 'UPDATE')
    await disconnect(again)
  })

  test('is told of a channel that is not there', async () => {
    const client = conn.streaming.createClient([])
    const refused = await Promise.resolve(client.subscribe('/data/NothingChangeEvent', () => {})).then(
      () => assert.fail('it was not refused'),
      (error) => error,
    )
    assert.equal(
      refused.message,
      '400::The channel you requested to subscribe to does not exist {/data/NothingChangeEvent}',
    )
    await disconnect(client)
  })

  test('learns by its extension that its token is not valid', async () => {
    const failed = new AbortController()
    const stranger = connect({ instanceUrl: conn.instanceUrl, accessToken: 'wrong' })
    const failure = new StreamingExtension.AuthFailure((message: unknown) => failed.abort(message))
    const client = stranger.streaming.createClient([failure])
    client.subscribe(CHANNEL, () => {})
    await once(failed.signal, 'abort')
    assert.equal(failed.signal.reason.ext.sfdc.failureReason, '401::Authentication invalid')
  })

  test('learns so that its token was revoked while it waits', async () => {
    const { org, clientId, userId } = o
    const token = await o.services.sessions.issue({
      ...{ org, clientId, userId, scopes: ['api'], grantType: 'test' },
    })
    const failed = new AbortController()
    const one = connect({ instanceUrl: conn.instanceUrl, accessToken: token })
    const failure = new StreamingExtension.AuthFailure((message: unknown) => failed.abort(message))
    await one.streaming.createClient([failure]).subscribe(CHANNEL, () => {})
    await revokeSession(o.db, hashToken(token))
    if (!failed.signal.aborted) await once(failed.signal, 'abort')
    assert.equal(failed.signal.reason.error, '401::Authentication invalid')
  })
})
