import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { openPort, type RealPort } from '../support/real-port.ts'

/* The Host header as it comes over the wire. */

let port: RealPort
before(async () => {
  port = await openPort()
})
after(() => port.close())

/** The status and the body of an answer. */
async function send(headers: string): Promise<[string, string]> {
  const { hostname, port: number } = new URL(port.address)
  const socket = connect(Number(number), hostname)
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.write(`GET /services/data HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  await once(socket, 'close')
  const text = Buffer.concat(received).toString()
  return [text.split(' ')[1]!, text.slice(text.indexOf('\r\n\r\n') + 4)]
}

test('a request with one Host header is answered', async () => {
  assert.equal((await send('Host: x\r\n'))[0], '200')
})

for (const second of ['Host: y', 'host: x', 'HOST: x, y']) {
  test(`a request with two is refused: ${second}`, async () => {
    const [status, body] = await send(`Host: x\r\n${second}\r\n`)
    assert.equal(status, '400')
    assert.deepEqual(JSON.parse(body)[0].message, 'The request has several Host headers.')
  })
}
