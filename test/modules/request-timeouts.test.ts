import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { afterFile } from '../support/after-file.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
  afterFile(() => o.server.close())
})

/** All that comes back until the server closes the connection. */
async function replyTo(text: string): Promise<string> {
  const { port } = o.server.server.address() as { port: number }
  // It keeps its side open: the server has to end the connection by itself.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let reply = ''
  socket.setEncoding('utf8').on('data', (part) => {
    reply += part
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'end')
  socket.destroy()
  return reply
}

describe('a request that never arrives as a whole', () => {
  test('is bounded: a minute for the headers, and for the body as long as a call may take', async () => {
    for (const { server } of [o.server, o.site]) {
      assert.deepEqual([server.headersTimeout, server.requestTimeout], [60_000, 600_000])
    }
    const { server } = (await openOrg({ settings: { callSeconds: '5' } })).server
    assert.equal(server.requestTimeout, 60_000)
  })

  test('is answered with 408 when the time is up, and its connection is closed', async () => {
    const bounds = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 }
    Object.assign(o.server.server, bounds)
    await o.server.listen({ host: '127.0.0.1', port: 0 })
    const REQUESTS = [
      '',
      'GET /services/data HTTP/1.1\r\nHost: x\r\n',
      'POST /services/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ]
    for (const reply of await Promise.all(REQUESTS.map(replyTo))) {
      assert.match(reply, /^HTTP\/1\.1 408 Request Timeout\r\n/)
      assert.match(reply, /The request took too long to arrive\./)
    }
  })
})
