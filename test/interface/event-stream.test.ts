import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sharedEngine } from '../support/engine.ts'
import { openEventStream } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { selectChanges } from '../support/select-changes.ts'
import { until } from '../support/until.ts'

/* The places of those who follow events. What streams have is in change-events and event-order. */

const QUERY = 'channel=/data/ChangeEvents'

/** Clients that an org of a developer edition has at the same time. */
const PLACES = 20

/** Asks for a stream and leaves before there is an answer. */
async function leaveEarly({ server, token }: TestOrg): Promise<void> {
  const [at] = server.addresses()
  const socket = connect((at as { readonly port: number }).port, '127.0.0.1')
  await once(socket, 'connect')
  const request = `GET /services/data/v64.0/event-stream?${QUERY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  await new Promise<void>((resolve) => socket.write(request, () => resolve()))
  socket.destroy()
}

test('clients that leave before they have an answer take no places from others', async () => {
  const o = await openOrg()
  const first = await openEventStream(o, QUERY)
  for (let n = 0; n < PLACES; n++) await leaveEarly(o)
  for (let n = 1; n < PLACES; n++) {
    // The server may still be seeing to one that has left.
    const stream = await until(async () => {
      const opened = await openEventStream(o, QUERY)
      return opened.status === 200 && opened
    })
    assert.equal(stream.status, 200)
  }
  assert.equal((await openEventStream(o, QUERY)).status, 403)
  first.close()
  await until(async () => (await openEventStream(o, QUERY)).status === 200)
})

test('streams that wait at the same place read an event once, and each has it', async () => {
  const engine = await sharedEngine()
  let reads = 0
  const reserved: typeof engine.reserved = (watch) =>
    engine.reserved({
      ...watch,
      reported(text, milliseconds) {
        if (text.includes('as "firstPosition"')) reads++
        watch.reported(text, milliseconds)
      },
    })
  const o = await openOrg({ engine: { ...engine, reserved } })
  await selectChanges(o, ['Account'])
  const streams = await Promise.all(Array.from({ length: PLACES }, () => openEventStream(o, QUERY)))
  const names = ['first', 'second', 'third']
  for (const Name of names) await o.create('Account', { Name })
  const seen = await Promise.all(streams.map((stream) => stream.take(names.length)))
  for (const stream of streams) stream.close()
  const expected = streams.map(() => names)
  assert.deepEqual(
    seen.map((events) => events.map(({ data }) => data.data.payload.Name)),
    expected,
  )
  assert.ok(reads > 0 && reads < PLACES, `${reads} reads`)
})

test('an empty Last-Event-ID is as none', async () => {
  const o = await openOrg()
  await selectChanges(o, ['Account'])
  ;(await openEventStream(o, QUERY)).close()
  await o.create('Account', { Name: 'Kept' })
  const stream = await openEventStream(o, `${QUERY}&replay=-2`, '')
  const [event] = await stream.take(1)
  assert.equal(event?.data.data.payload.Name, 'Kept')
  stream.close()
})
