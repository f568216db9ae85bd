import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ON_EMBEDDED } from '../support/engine.ts'
import { credentialsIn, fetchToken, makeDataFolder, startServer } from '../support/server-process.ts'

/* Clients that close their connection, or stop reading, while the server still has something to send. */

test('a client that leaves in the middle of a large answer is no failure of the server', {
  ...ON_EMBEDDED,
}, async () => {
  const folder = makeDataFolder()
  const server = await startServer({ OBJECTRY_DATA: folder.data, OBJECTRY_LOG_LEVEL: 'error' })
  let said = ''
  server.child.stdout!.on('data', (text) => {
    said += text
  })
  server.child.stderr!.on('data', (text) => {
    said += text
  })
  try {
    const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const data = `${server.address}/services/data/v64.0`
    const records = Array.from({ length: 100 }, (_, n) => ({
      attributes: { type: 'Account' },
      Name: `Large ${n}`,
      Description: randomBytes(16_000).toString('hex'),
    }))
    const created = await fetch(`${data}/composite/sobjects`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ records }),
    })
    assert.equal(created.status, 200)
    await created.text()
    const query = '/services/data/v64.0/query?q=SELECT+Name,Description+FROM+Account'
    const batchRequests = Array.from({ length: 25 }, () => ({ method: 'GET', url: query.slice(15) }))
    const batch = JSON.stringify({ batchRequests })
    const authorization = `Authorization: Bearer ${token}`
    const requests = [
      `GET ${query} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`,
      `POST /services/data/v64.0/composite/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${authorization}\r\nContent-Length: ${batch.length}\r\n\r\n${batch}`,
    ]
    const { hostname, port } = new URL(server.address)
    const leave = async (request: string, isAnswered: boolean) => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(request)
      if (isAnswered) assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
      else await sleep(50)
      socket.destroy()
    }
    for (const request of requests) {
      const packed = request.replace('Host: x', 'Host: x\r\nAccept-Encoding: gzip')
      for (const one of [request, packed]) {
        await leave(one, true)
        await leave(one, false)
      }
    }
    const whole = await fetch(server.address + query, { headers })
    assert.equal(((await whole.json()) as { totalSize: number }).totalSize, 100)
    assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
    assert.equal(said, '')
  } finally {
    server.child.kill('SIGKILL')
    folder.remove()
  }
})

test('clients that stop reading do not keep the memory for answers from others', {
  ...ON_EMBEDDED,
}, async () => {
  const folder = makeDataFolder()
  const limit = 12 * 1024 ** 2
  const server = await startServer({ OBJECTRY_DATA: folder.data, OBJECTRY_ANSWER_LIMIT: String(limit) })
  const stalled: Socket[] = []
  try {
    const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const records = Array.from({ length: 200 }, (_, n) => ({
      attributes: { type: 'Account' },
      Name: `Large ${n}`,
      Description: 'x'.repeat(32_000),
    }))
    for (let list = 0; list < 3; list++) {
      const created = await fetch(`${server.address}/services/data/v64.0/composite/sobjects`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ records }),
      })
      assert.equal(created.status, 200)
      await created.text()
    }
    const path = '/services/data/v64.0/query?q=SELECT+Name,Description+FROM+Account'
    const { hostname, port } = new URL(server.address)
    // An org has memory for three of the largest answers.
    for (let client = 0; client < 3; client++) {
      const socket = connect(Number(port), hostname)
      stalled.push(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
      await once(socket, 'readable')
    }
    const answer = await fetch(server.address + path, { headers })
    assert.equal(answer.status, 200)
    assert.ok((await answer.text()).length > limit / 2)
  } finally {
    for (const socket of stalled) socket.destroy()
    server.child.kill('SIGKILL')
    folder.remove()
  }
})

test('a client that stops reading a short answer is cut off after as long as a call may take', {
  ...ON_EMBEDDED,
}, async () => {
  const folder = makeDataFolder()
  const server = await startServer({ OBJECTRY_DATA: folder.data, OBJECTRY_CALL_SECONDS: '4' })
  const stalled = new Socket()
  try {
    const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const created = await fetch(`${server.address}/services/data/v64.0/composite/sobjects`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        records: Array.from({ length: 20 }, (_, n) => ({
          attributes: { type: 'Account' },
          Name: `Large ${n}`,
          Description: 'x'.repeat(32_000),
        })),
      }),
    })
    assert.equal(created.status, 200)
    await created.text()
    const { hostname, port } = new URL(server.address)
    const request = `GET /services/data/v64.0/query?q=SELECT+Name,Description+FROM+Account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    // The operating system keeps megabytes for the client, so it asks for the same many times.
    stalled.on('error', () => {}).connect(Number(port), hostname)
    stalled.write(request.repeat(60))
    await once(stalled, 'readable')
    // Who does not read learns of the end when it writes.
    while (!stalled.destroyed) {
      stalled.write(request)
      await sleep(250)
    }
  } finally {
    stalled.destroy()
    server.child.kill('SIGKILL')
    folder.remove()
  }
})
