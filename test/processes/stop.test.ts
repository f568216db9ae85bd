import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterFile } from '../support/after-file.ts'
import { spawnCommand } from '../support/command-process.ts'
import { onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { openProxy } from '../support/pausable-proxy.ts'
import {
  credentialsIn,
  fetchToken,
  makeDataFolder,
  SECRET_KEY,
  type ServerProcess,
  startServer,
  type Variables,
} from '../support/server-process.ts'
import { until } from '../support/until.ts'

/* How `objectry serve` ends at a signal, and what that does to those who are connected. */

let variables: Variables
let credentials: NonNullable<ReturnType<typeof credentialsIn>>

before(async () => {
  if (onPostgres) {
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'health_stop')
    variables = { DATABASE_URL: database.url }
    afterFile(() => database.drop())
  } else {
    const folder = makeDataFolder()
    variables = { OBJECTRY_DATA: folder.data }
    afterFile(() => folder.remove())
  }
  const server = await startServer(variables)
  credentials = credentialsIn(server.greeting)!
  await server.end('SIGTERM')
})

/** Runs a server for a test, and kills it if the test has left it running. */
async function withServer(
  settings: Variables,
  work: (server: ServerProcess) => Promise<void>,
): Promise<void> {
  const server = await startServer({ ...variables, ...settings })
  try {
    await work(server)
  } finally {
    server.child.kill('SIGKILL')
  }
}

async function openSocket({ address }: ServerProcess, text = ''): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  // The server has it by the time that it has answered somebody else.
  await fetch(`${address}/healthz`)
  return socket
}

const post = (token: string, length: number) =>
  `POST /services/data/v64.0/sobjects/Account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

const statusAt = async (address: string, path: string) => {
  const response = await fetch(address + path)
  return [response.status, ((await response.json()) as { status: string }).status]
}

describe('a server that is told to stop', () => {
  for (const [name, open] of [
    ['a connection that never sent a byte', (server: ServerProcess) => openSocket(server)],
    [
      'a connection whose headers never end',
      (server: ServerProcess) => openSocket(server, 'GET /healthz HTTP/1.1\r\nHost: x\r\n'),
    ],
    [
      'a request whose body never ends',
      async (server: ServerProcess) =>
        openSocket(server, `${post(await fetchToken(server.address, credentials), 100)}{"Name":`),
    ],
    [
      'two requests that were followed by one for a tunnel',
      async (server: ServerProcess) => {
        const create = `${post(await fetchToken(server.address, credentials), 15)}{"Name":"Left"}`
        return openSocket(server, `${create}${create}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`)
      },
    ],
  ] as const) {
    test(`ends with 0 in spite of ${name}`, () =>
      withServer({}, async (server) => {
        const socket = await open(server)
        assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
        socket.destroy()
      }))
  }

  test('ends with 0 in spite of a connection that is kept for the next call', () =>
    withServer({}, async (server) => {
      const agent = new Agent({ keepAlive: true })
      const [response] = await once(request(`${server.address}/healthz`, { agent }).end(), 'response')
      response.resume()
      await once(response, 'end')
      assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
      agent.destroy()
    }))

  test('ends with 0 in spite of clients that left while the server had not read their bodies yet', () =>
    withServer({}, async (server) => {
      const token = await fetchToken(server.address, credentials)
      for (let round = 0; round < 20; round++) {
        const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(server)))
        // More at once than there are connections to the database, so that most of them wait before their bodies are read.
        for (const socket of sockets) socket.write(`${post(token, 15)}{"Name":"Left"}`)
        await sleep(round)
        for (const socket of sockets) socket.destroy()
      }
      assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
    }))

  test('goes on and ends with 0 in spite of clients that left while they sent the parts of a file', () =>
    withServer({}, async (server) => {
      const token = await fetchToken(server.address, credentials)
      const head = post(token, 5_000_000).replace('application/json', 'multipart/form-data; boundary=b')
      for (let round = 0; round < 20; round++) {
        const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(server)))
        for (const socket of sockets) socket.write(`${head}--b\r\n`)
        await sleep(round % 6)
        for (const socket of sockets) socket.resetAndDestroy()
      }
      assert.deepEqual(await statusAt(server.address, '/readyz'), [200, 'ready'])
      assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
    }))

  test('cancels at the bound what still arrives, and ends with 1', () =>
    withServer({ OBJECTRY_STOP_SECONDS: '2' }, async (server) => {
      const token = await fetchToken(server.address, credentials)
      const socket = await openSocket(server, post(token, 1_000_000))
      const trickle = setInterval(() => socket.writable && socket.write(' '), 50)
      try {
        assert.deepEqual(await server.end('SIGTERM'), { code: 1, signal: null })
      } finally {
        clearInterval(trickle)
        socket.destroy()
      }
    }))

  test('is not ready but still serves during the drain time, and lives all the while', () =>
    withServer({ OBJECTRY_DRAIN_SECONDS: '5' }, async (server) => {
      const { address, child } = server
      assert.deepEqual(await statusAt(address, '/readyz'), [200, 'ready'])
      const ending = once(child, 'close')
      child.kill('SIGTERM')
      while ((await statusAt(address, '/readyz'))[0] === 200) await sleep(10)
      assert.deepEqual(await statusAt(address, '/readyz'), [503, 'draining'])
      assert.deepEqual(await statusAt(address, '/healthz'), [200, 'ok'])
      const body = JSON.stringify({ Name: 'While draining' })
      const headers = {
        authorization: `Bearer ${await fetchToken(address, credentials)}`,
        'content-type': 'application/json',
      }
      const created = await fetch(`${address}/services/data/v64.0/sobjects/Account`, {
        ...{ method: 'POST', headers, body },
      })
      assert.equal(created.status, 201)
      assert.deepEqual(await ending, [0, null])
    }))

  test('ends at once at a second signal, with 1', () =>
    withServer({ OBJECTRY_DRAIN_SECONDS: '600' }, async (server) => {
      server.child.kill('SIGTERM')
      while ((await statusAt(server.address, '/readyz'))[0] === 200) await sleep(10)
      assert.deepEqual(await server.end('SIGINT'), { code: 1, signal: null })
    }))
})

describe('on PostgreSQL', { skip: !onPostgres && 'the embedded engine has no locks of others' }, () => {
  test('cancels a call that waits for a lock, answers it with 503, and ends with 1', () =>
    withServer({ OBJECTRY_STOP_SECONDS: '2' }, async (server) => {
      const { address } = server
      const token = await fetchToken(address, credentials)
      const holder = new pg.Client({ connectionString: variables.DATABASE_URL })
      await holder.connect()
      await holder.query('begin; lock table org_1.account in access exclusive mode')
      try {
        const call = fetch(`${address}/services/data/v64.0/query?q=SELECT+Id+FROM+Account`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const waiting = `select 1 from pg_locks where relation = 'org_1.account'::regclass and not granted`
        while ((await holder.query(waiting)).rowCount === 0) await sleep(20)
        const ending = server.end('SIGTERM')
        const response = await call
        assert.equal(response.status, 503)
        const [error] = (await response.json()) as { errorCode: string }[]
        assert.equal(error!.errorCode, 'SERVER_UNAVAILABLE')
        assert.deepEqual(await ending, { code: 1, signal: null })
      } finally {
        await holder.end()
      }
    }))

  test('ends while its database is frozen, with calls under way', async () => {
    const proxy = await openProxy(variables.DATABASE_URL!)
    try {
      await withServer({ DATABASE_URL: proxy.url, OBJECTRY_STOP_SECONDS: '4' }, async (server) => {
        const { address } = server
        const token = await fetchToken(address, credentials)
        proxy.pause()
        const calls = Array.from({ length: 3 }, () =>
          fetch(`${address}/services/data/v64.0/query?q=SELECT+Id+FROM+Account`, {
            headers: { authorization: `Bearer ${token}` },
          }).catch(() => undefined),
        )
        while ((await statusAt(address, '/readyz'))[0] === 200) await sleep(20)
        assert.deepEqual(await server.end('SIGTERM'), { code: 1, signal: null })
        await Promise.all(calls)
      })
    } finally {
      proxy.close()
    }
  })

  test('that is told so while it starts ends with 0 when it has started', async () => {
    const { hostname, port } = new URL(variables.DATABASE_URL!)
    const reached = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    // The database answers when the signal has been sent.
    const front = createServer(async (client) => {
      client.on('error', () => {})
      reached.resolve()
      await told.promise
      const database = connect(Number(port || 5432), hostname).on('error', () => {})
      client.pipe(database).pipe(client)
    }).listen(0, '127.0.0.1')
    await once(front, 'listening')
    const url = new URL(variables.DATABASE_URL!)
    url.host = `127.0.0.1:${(front.address() as AddressInfo).port}`
    const child = spawnCommand(['serve'], {
      ...SECRET_KEY,
      DATABASE_URL: url.href,
      PORT: '0',
      SITE_PORT: 'off',
    })
    try {
      await reached.promise
      child.kill('SIGTERM')
      told.resolve()
      assert.deepEqual(await once(child, 'exit'), [0, null])
    } finally {
      child.kill('SIGKILL')
      front.close()
    }
  })
})

test('a server that npx started stops when that npx is ended', async () => {
  // As npx does it: a shell between the two, which passes no signal on.
  const server = await startServer({ ...variables, npm_command: 'exec' }, [], ['sh', '-c', '"$0" "$@"; exit'])
  server.child.kill('SIGTERM')
  const isGone = () =>
    fetch(`${server.address}/healthz`).then(
      () => false,
      () => true,
    )
  await until(isGone)
})
