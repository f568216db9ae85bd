import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openPort } from '../support/real-port.ts'

/* Requests that a client sends without waiting for the answers to earlier ones. */

const COUNT = 200

test('requests that are sent at once on a connection are answered in order, four of them carried out at a time', async () => {
  let [running, most] = [0, 0]
  const port = await openPort((server) => {
    server.addHook('onRequest', (_request, _response, done) => {
      most = Math.max(most, ++running)
      done()
    })
    server.addHook('onResponse', (_request, _response, done) => {
      running--
      done()
    })
  })
  try {
    const { hostname, port: number } = new URL(port.address)
    const socket = connect(Number(number), hostname)
    const received: Buffer[] = []
    socket.on('data', (chunk) => received.push(chunk))
    const requests = Array.from({ length: COUNT }, (_, n) => {
      const last = n === COUNT - 1 ? 'Connection: close\r\n' : ''
      return `GET /services/data/v64.0/nowhere HTTP/1.1\r\nHost: x\r\nX-Request-Id: pipelined-${n}\r\n${last}\r\n`
    })
    socket.write(requests.join(''))
    await once(socket, 'close')
    const ids = Buffer.concat(received)
      .toString()
      .matchAll(/pipelined-(\d+)/gi)
    assert.deepEqual(
      [...ids].map(([, n]) => Number(n)),
      Array.from({ length: COUNT }, (_, n) => n),
    )
    assert.ok(most > 1 && most <= 4, `${most} at a time`)
  } finally {
    await port.close()
  }
})
