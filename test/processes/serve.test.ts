import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { killDuringCreates } from '../support/creates-under-load.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import {
  credentialsIn,
  failToStart,
  fetchToken,
  makeDataFolder,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'

/* `objectry serve` as people run it: a process of its own, on the embedded engine. */

/** Runs the command that the greeting shows and gives what it prints, as JSON. */
async function runShownCommand(greeting: string) {
  const [command] = /^ {2}TOKEN=.*$/m.exec(greeting)!
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  return JSON.parse(stdout)
}

async function namesAt(address: string, token: string): Promise<string[]> {
  const url = `${address}/services/data/v64.0/query?q=SELECT+Name+FROM+Account+ORDER+BY+Name`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const { records } = (await response.json()) as { records: { Name: string }[] }
  return records.map((record) => record.Name)
}

/** Resolves when nobody listens at the address any more. */
async function isClosed(address: string): Promise<void> {
  const answers = () =>
    fetch(`${address}/healthz`).then(
      () => true,
      () => false,
    )
  while (await answers());
}

describe('objectry serve', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  let server: ServerProcess
  let credentials: NonNullable<ReturnType<typeof credentialsIn>>

  before(async () => {
    server = await startServer({ OBJECTRY_DATA: folder.data })
  })
  after(async () => {
    await server.end('SIGKILL')
    folder.remove()
  })

  test('prints its address, a client id and a secret at the first start', async () => {
    credentials = credentialsIn(server.greeting)!
    assert.match(server.address, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(credentials.clientId, /^\S{20,}$/)
    assert.match(credentials.clientSecret, /^\S{20,}$/)
    assert.match(server.greeting, /^ {2}username {7}admin@objectry\.local\n {2}password {7}\S{20,}$/m)
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
  })

  test('prints a command that works when it is pasted into a shell', async () => {
    const created = await runShownCommand(server.greeting)
    assert.match(created.id, /^001\w{15}$/)
    assert.equal(created.success, true)
  })

  test('keeps its data folder to itself', async () => {
    const { code, error } = await failToStart({ OBJECTRY_DATA: folder.data })
    assert.equal(code, 1)
    assert.match(error, /^Objectry did not start: The data folder .* is in use by process \d+\./)
  })

  test('answers a call that is under way when SIGTERM comes, then ends with 0 and waits for no other call', async () => {
    const { address, child } = server
    const token = await fetchToken(address, credentials)
    const body = JSON.stringify({ Name: 'Under way' })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    }
    const agent = new Agent({ keepAlive: true })
    const call = request(`${address}/services/data/v64.0/sobjects/Account`, {
      method: 'POST',
      headers,
      agent,
    })
    call.flushHeaders()
    await once(call, 'continue')
    child.kill('SIGTERM')
    await isClosed(address)
    const ending = once(child, 'close')
    call.end(body)
    const [response] = await once(call, 'response')
    assert.equal(response.statusCode, 201)
    response.resume()
    assert.deepEqual(await ending, [0, null])
    agent.destroy()
  })

  test('prints no secret at a second start; the first one works, and the data is there', async () => {
    server = await startServer({ OBJECTRY_DATA: folder.data })
    assert.equal(credentialsIn(server.greeting), undefined)
    assert.doesNotMatch(server.greeting, /password/)
    assert.ok(!server.greeting.includes(credentials.clientSecret))
    const token = await fetchToken(server.address, credentials)
    assert.deepEqual(await namesAt(server.address, token), ['Acme', 'Under way'])
  })

  test('ends with 0 at SIGINT too, though a client keeps its connection open', async () => {
    const agent = new Agent({ keepAlive: true })
    const call = request(`${server.address}/healthz`, { agent }).end()
    const [response] = await once(call, 'response')
    response.resume()
    await once(response, 'end')
    assert.deepEqual(await server.end('SIGINT'), { code: 0, signal: null })
    agent.destroy()
  })
})

test('the credentials of the first app may be settings, and the printed command works with any', async () => {
  const clientSecret = `it's a "secret" & 100%+ $HOME \\ done`
  const variables = {
    OBJECTRY_DATA: 'memory',
    OBJECTRY_CLIENT_ID: 'my app',
    OBJECTRY_CLIENT_SECRET: clientSecret,
  }
  const server = await startServer(variables)
  try {
    assert.deepEqual(credentialsIn(server.greeting), { clientId: 'my app', clientSecret })
    assert.equal((await runShownCommand(server.greeting)).success, true)
  } finally {
    await server.end('SIGTERM')
  }
})

describe('what keeps a server from starting is said in plain words', ON_EMBEDDED, () => {
  for (const [variables, args, message, exitCode = 2] of [
    [
      { PORT: 'abc' },
      [],
      /^Objectry did not start: PORT must be a whole number from 0 to 65535, not "abc"\.\n$/,
    ],
    [{}, ['--port', '70000'], /PORT must be a whole number from 0 to 65535, not "70000"/],
    [
      { DATABASE_URL: 'nonsense' },
      [],
      /DATABASE_URL must be an address like postgres:\/\/user@host:5432\/database/,
    ],
    [
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      [],
      /^Objectry did not start: connect ECONNREFUSED 127\.0\.0\.1:1: no database answers there\. .+\n$/,
      1,
    ],
    [{ OBJECTRY_DATA: '/etc/hostname/data' }, [], /^Objectry did not start: .*\/etc\/hostname/, 1],
    [{ OBJECTRY_PUBLIC_URL: 'x' }, [], /OBJECTRY_PUBLIC_URL must be an http or https address, not "x"/],
    [{ OBJECTRY_LOG_LEVEL: 'loud' }, [], /OBJECTRY_LOG_LEVEL must be .*, not "loud"/],
    [
      { OBJECTRY_DATA: 'memory', OBJECTRY_ADMIN_PASSWORD: 'short' },
      [],
      /^Objectry did not start: OBJECTRY_ADMIN_PASSWORD: The password must have at least 8 characters\.\n$/,
    ],
    [{}, ['--no-such-flag', 'x'], /unknown option '--no-such-flag'/],
  ] as const) {
    const name =
      args.length > 0 ? args.join(' ') : Object.entries(variables).map((pair) => pair.join('='))[0]!
    test(name, async () => {
      const { code, out, error } = await failToStart(variables, args)
      assert.equal(code, exitCode)
      assert.equal(out, '')
      assert.match(error, message)
      assert.doesNotMatch(error, /\n {4}at /)
    })
  }

  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, error } = await failToStart({ PORT: String(port), OBJECTRY_DATA: 'memory' })
    taken.close()
    assert.equal(code, 1)
    assert.match(
      error,
      new RegExp(
        `^Objectry did not start: .*address already in use 127\\.0\\.0\\.1:${port}: another program listens .+\n$`,
      ),
    )
  })
})

test('kill -9 while records are created loses none that was acknowledged', async () => {
  const folder = makeDataFolder()
  try {
    for await (const { acknowledged, lost } of killDuringCreates({ OBJECTRY_DATA: folder.data }, 2)) {
      assert.ok(acknowledged > 0)
      assert.deepEqual(lost, [])
    }
  } finally {
    folder.remove()
  }
})
