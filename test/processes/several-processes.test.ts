import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { afterFile } from '../support/after-file.ts'
import { copyCheckout } from '../support/checkout.ts'
import { killDuringCreates } from '../support/creates-under-load.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import {
  credentialsIn,
  failToStart,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from '../support/server-process.ts'
import { deploymentWith, writeDeployment } from '../support/trigger-files.ts'

/* `objectry serve --processes`: several server processes on one port and one database. */

const ON_POSTGRES = { skip: !onPostgres && 'the embedded engine belongs to one process', timeout: 120_000 }

const APP = { clientId: 'tests', clientSecret: 'secret of the tests' }

interface Answer {
  readonly status: number
  readonly text: string
}

/** A call on a connection of its own: the processes take connections by turns. */
async function call(
  { address }: ServerProcess,
  path: string,
  options: { readonly method?: string; readonly token?: string; readonly body?: unknown } = {},
): Promise<Answer> {
  const { method = 'GET', token, body } = options
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const agent = new Agent({ keepAlive: false })
  const sent = request(`${address}${path}`, { method, headers, agent })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() }
}

const ACCOUNTS = '/services/data/v64.0/sobjects/Account'

const create = (server: ServerProcess, token: string, Name: string) =>
  call(server, ACCOUNTS, { method: 'POST', token, body: { Name } })

interface Line {
  readonly pid: number
  readonly msg: string
}

/** The log from now on. */
function readLog({ child }: ServerProcess): () => Line[] {
  let text = ''
  child.stdout!.on('data', (more) => {
    text += more
  })
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
}

/** Waits for what must become true. */
async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 60_000
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`it did not become true: ${find}`)
    await sleep(20)
  }
}

/** The processes that answer requests. */
async function findPids(server: ServerProcess, log: () => Line[], count = 2): Promise<number[]> {
  const from = log().length
  return until(async () => {
    await call(server, '/healthz')
    const lines = log().slice(from)
    const pids = new Set(lines.filter(({ msg }) => msg === 'request').map(({ pid }) => pid))
    return pids.size >= count ? [...pids] : undefined
  })
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const areGone = (pids: readonly number[]) => until(() => !pids.some(isAlive))

const readiness = async (server: ServerProcess) => {
  const { status, text } = await call(server, '/readyz')
  return `${status} ${JSON.parse(text).status}`
}

/** The value of a metric: of the line that begins so. */
async function readMetric(server: ServerProcess, series: string): Promise<number | undefined> {
  const { text } = await call(server, '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const CHECKS = 'objectry_requests_total{endpoint="health",route="/healthz",method="GET",status="200"}'

let variables: Variables

before(async () => {
  if (!onPostgres) return
  const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'processes')
  afterFile(() => database.drop())
  variables = {
    DATABASE_URL: database.url,
    OBJECTRY_PROCESSES: '2',
    OBJECTRY_LOG_LEVEL: 'info',
    OBJECTRY_CLIENT_ID: APP.clientId,
    OBJECTRY_CLIENT_SECRET: APP.clientSecret,
  }
})

/** The settings with a database of its own, on which no server was started before. */
async function makeFresh(purpose: string): Promise<Variables> {
  const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, `processes_${purpose}`)
  afterFile(drop)
  return { ...variables, DATABASE_URL: url, OBJECTRY_CLIENT_ID: '', OBJECTRY_CLIENT_SECRET: '' }
}

/** Runs a server for a test, and kills it if the test has left it running. */
async function withServer(
  settings: Variables,
  work: (server: ServerProcess, log: () => Line[]) => Promise<void>,
  command?: string,
): Promise<void> {
  const server = await startServer({ ...variables, ...settings }, [], [], command)
  try {
    await work(server, readLog(server))
  } finally {
    // The others end with the first one.
    server.child.kill('SIGKILL')
  }
}

describe('several processes', ON_POSTGRES, () => {
  test('make the first org once, and serve through one port and one site port when all are ready', async () => {
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'processes_first')
    try {
      const settings = { DATABASE_URL: database.url, OBJECTRY_CLIENT_ID: '', OBJECTRY_CLIENT_SECRET: '' }
      await withServer(settings, async (server, log) => {
        assert.match(server.greeting, /\(data: PostgreSQL, 2 processes\)/)
        assert.equal(server.greeting.match(/client secret/g)!.length, 1)
        assert.equal(await readiness(server), '200 ready')
        const site = /public site is at (\S+)\./.exec(server.greeting)![1]!
        assert.equal((await fetch(`${site}/readyz`)).status, 200)
        assert.equal((await findPids(server, log)).length, 2)
        const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
        const statuses = await Promise.all(
          Array.from({ length: 8 }, async (_, index) => (await create(server, token, `A ${index}`)).status),
        )
        assert.deepEqual(statuses, Array(8).fill(201))
        const query = '/services/data/v64.0/query?q=SELECT+COUNT()+FROM+Account'
        assert.equal(JSON.parse((await call(server, query, { token })).text).totalSize, 8)
        assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
      })
    } finally {
      await database.drop()
    }
  })

  test('replace one that was killed, while the others take its calls and /readyz says 503', async () => {
    await withServer({}, async (server, log) => {
      const token = await fetchToken(server.address, APP)
      const pids = await findPids(server, log)
      process.kill(pids[0]!, 'SIGKILL')
      await until(async () => (await readiness(server)) === '503 starting')
      assert.equal((await create(server, token, 'Meanwhile')).status, 201)
      await until(async () => (await readiness(server)) === '200 ready')
      const replaced = await findPids(server, log)
      assert.ok(replaced.includes(pids[1]!))
      assert.ok(!replaced.includes(pids[0]!))
      const statuses = await Promise.all([1, 2, 3, 4].map(() => create(server, token, 'Afterwards')))
      assert.ok(statuses.every(({ status }) => status === 201))
      assert.ok(log().some(({ msg }) => msg.includes(`(${pids[0]}) was ended by SIGKILL. It is started`)))
    })
  })

  test('add up their counters, and keep those of one that ended', async () => {
    await withServer({}, async (server, log) => {
      const [pid] = await findPids(server, log)
      const before = await until(() => readMetric(server, CHECKS))
      for (let index = 0; index < 10; index++) await call(server, '/healthz')
      assert.equal(await readMetric(server, CHECKS), before + 10)
      assert.equal(await readMetric(server, 'objectry_processes'), 2)
      const { text } = await call(server, '/metrics')
      assert.match(text, /^nodejs_eventloop_lag_seconds\{process="1"\} [\d.]+$/m)
      assert.match(text, /^nodejs_eventloop_lag_seconds\{process="2"\} [\d.]+$/m)
      assert.equal(text.match(/^process_resident_memory_bytes/gm)!.length, 1)
      assert.equal(text.match(/^nodejs_version_info\{.* 1$/gm)!.length, 1)

      process.kill(pid!, 'SIGKILL')
      await until(async () => (await readMetric(server, 'objectry_processes')) === 1)
      assert.equal(await readMetric(server, CHECKS), before + 10)
      await until(async () => (await readMetric(server, 'objectry_processes')) === 2)
      assert.equal(await readMetric(server, CHECKS), before + 10)
      assert.equal(await readMetric(server, 'objectry_process_restarts_total'), 1)
    })
  })

  test('count requests once, however many ask for the metrics at a time', async () => {
    await withServer({}, async (server) => {
      await call(server, '/healthz')
      const counts = await Promise.all(Array.from({ length: 20 }, () => readMetric(server, CHECKS)))
      assert.deepEqual(counts, Array(20).fill(1))
    })
  })

  test('all refuse a token within a second after one of them revoked it', async () => {
    await withServer({}, async (server) => {
      const token = await fetchToken(server.address, APP)
      const ask = () => call(server, '/services/data/v64.0/limits', { token })
      const answers = await Promise.all(Array.from({ length: 6 }, ask))
      assert.ok(answers.every(({ status }) => status === 200))
      const body = new URLSearchParams({ token })
      assert.equal(
        (await fetch(`${server.address}/services/oauth2/revoke`, { method: 'POST', body })).status,
        200,
      )
      await sleep(1000)
      const refusals = await Promise.all(Array.from({ length: 6 }, ask))
      assert.deepEqual(
        refusals.map(({ status }) => status),
        Array(6).fill(401),
      )
    })
  })

  test('all take a grant within a second after one of them stored it', async () => {
    await withServer({}, async (server) => {
      const admin = await fetchToken(server.address, APP)
      const post = async (path: string, body: unknown) => {
        const answer = await call(server, path, { method: 'POST', token: admin, body })
        assert.equal(answer.status, 201, answer.text)
        return JSON.parse(answer.text)
      }
      const createRecord = async (object: string, fields: unknown) =>
        (await post(`/services/data/v64.0/sobjects/${object}`, fields)).id as string
      const name = `Profile of ${server.child.pid}`
      const ProfileId = await createRecord('Profile', { Name: name, PermissionsApiEnabled: true })
      const username = `reader-${server.child.pid}@example.com`
      await post('/setup/orgs/current/users', {
        username,
        email: username,
        lastName: 'Reader',
        profile: name,
      })
      const app = await post('/setup/orgs/current/apps', { name, runAs: username })
      const token = await fetchToken(server.address, app)
      const record = await createRecord('Account', { Name: 'Acme' })
      const read = async () => {
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => call(server, `${ACCOUNTS}/${record}`, { token })),
        )
        return answers.map(({ status }) => status)
      }
      assert.deepEqual(await read(), Array(6).fill(404))
      const query = encodeURIComponent(`SELECT Id FROM PermissionSet WHERE ProfileId = '${ProfileId}'`)
      const found = await call(server, `/services/data/v64.0/query?q=${query}`, { token: admin })
      const ParentId = JSON.parse(found.text).records[0].Id
      const rights = { PermissionsRead: true, PermissionsViewAllRecords: true }
      await createRecord('ObjectPermissions', { ParentId, SobjectType: 'Account', ...rights })
      await sleep(1000)
      assert.deepEqual(await read(), Array(6).fill(200))
    })
  })

  test('all use the same key, also if it is stored nowhere', async () => {
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'processes_key')
    try {
      const settings = { DATABASE_URL: database.url, OBJECTRY_SECRET_KEY: '', OBJECTRY_DATA: 'memory' }
      await withServer(settings, async (server, log) => {
        const tokens = await Promise.all(Array.from({ length: 6 }, () => fetchToken(server.address, APP)))
        assert.equal(new Set(tokens).size, 6)
        assert.equal((await findPids(server, log)).length, 2)
      })
    } finally {
      await database.drop()
    }
  })

  test('run from the bundle', async () => {
    const checkout = copyCheckout()
    try {
      assert.equal(checkout.prepare(), '')
      checkout.say('build/server/objectry.js', 'bundled')
      await withServer(
        {},
        async (server, log) => {
          assert.equal(server.greeting.match(/^bundled$/gm)!.length, 3)
          assert.equal((await findPids(server, log)).length, 2)
          assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
        },
        checkout.command,
      )
    } finally {
      checkout.dispose()
    }
  })
})

/** What an account's name says: how long the event loop is blocked. */
const TRIGGER = `export default {
  object: 'Account',
  beforeInsert([{ record }]) {
    const end = performance.now() + Number(/^spin (\\d+)/.exec(record.Name)?.[1] ?? 0)
    while (performance.now() < end);
  },
}`

/** Blocks the event loop of one of the processes; its call may get no answer. */
async function block(server: ServerProcess, token: string, milliseconds: number): Promise<void> {
  void create(server, token, `spin ${milliseconds}`).catch(() => {})
  await sleep(300)
}

describe('a process whose event loop is blocked', ON_POSTGRES, () => {
  test('is ended by its watchdog and replaced, and leaves no client waiting', async () => {
    const settings = {
      OBJECTRY_DEPLOYMENT: deploymentWith({ 'spin.ts': TRIGGER }),
      OBJECTRY_BLOCKED_EXIT_SECONDS: '2',
    }
    await withServer(settings, async (server, log) => {
      const token = await fetchToken(server.address, APP)
      const pids = await findPids(server, log)
      await block(server, token, 600_000)
      // One of these connections is handed to the blocked process, which never takes it.
      const checks = await Promise.all(Array.from({ length: 6 }, () => call(server, '/healthz')))
      assert.ok(checks.every(({ status }) => status === 200))
      await until(async () => (await readiness(server)) === '200 ready')
      const alive = pids.filter(isAlive)
      assert.equal(alive.length, 1)
      assert.equal((await create(server, token, 'Afterwards')).status, 201)
    })
  })

  test('is killed at the end of the stop time, and the exit code is 1', async () => {
    const settings = {
      OBJECTRY_DEPLOYMENT: deploymentWith({ 'spin.ts': TRIGGER }),
      OBJECTRY_STOP_SECONDS: '2',
    }
    await withServer(settings, async (server, log) => {
      const token = await fetchToken(server.address, APP)
      const pids = await findPids(server, log)
      await block(server, token, 600_000)
      assert.deepEqual(await server.end('SIGTERM'), { code: 1, signal: null })
      await areGone(pids)
    })
  })

  test('shows its previous metrics, and those of the others are served', async () => {
    const settings = { OBJECTRY_DEPLOYMENT: deploymentWith({ 'spin.ts': TRIGGER }) }
    await withServer(settings, async (server, log) => {
      const token = await fetchToken(server.address, APP)
      await findPids(server, log)
      const before = await until(() => readMetric(server, CHECKS))
      await block(server, token, 4000)
      const counts = Array.from({ length: 3 }, () => readMetric(server, CHECKS))
      assert.equal(await Promise.any(counts), before)
      assert.deepEqual(await Promise.all(counts), Array(3).fill(before))
    })
  })
})

describe('several processes that are told to stop', ON_POSTGRES, () => {
  test('end with 0 and lose no record that was acknowledged', async () => {
    for await (const round of killDuringCreates(await makeFresh('stop'), 1, 'SIGTERM')) {
      const { acknowledged, lost, code } = round
      assert.ok(acknowledged > 0)
      assert.deepEqual({ lost, code }, { lost: [], code: 0 })
    }
  })

  test('say on /readyz that they drain', async () => {
    await withServer({ OBJECTRY_DRAIN_SECONDS: '3' }, async (server) => {
      const ending = server.end('SIGTERM')
      await until(async () => (await readiness(server)) === '503 draining')
      const answers = await Promise.all([1, 2, 3, 4].map(() => readiness(server)))
      assert.deepEqual(answers, Array(4).fill('503 draining'))
      assert.deepEqual(await ending, { code: 0, signal: null })
    })
  })

  test('end at once at the second signal', async () => {
    await withServer({ OBJECTRY_DRAIN_SECONDS: '600' }, async (server, log) => {
      const pids = await findPids(server, log)
      const ending = server.end('SIGTERM')
      await until(async () => (await readiness(server)) === '503 draining')
      server.child.kill('SIGTERM')
      assert.deepEqual(await ending, { code: 1, signal: null })
      await areGone(pids)
    })
  })

  test('end with 0 if all of them are sent the signal', async () => {
    await withServer({}, async (server, log) => {
      const pids = await findPids(server, log)
      for (const pid of pids) process.kill(pid, 'SIGINT')
      assert.deepEqual(await server.end('SIGINT'), { code: 0, signal: null })
    })
  })

  test('end when the process that started them is killed, and lose no record that was acknowledged', async () => {
    for await (const { acknowledged, lost } of killDuringCreates(await makeFresh('kill'), 1)) {
      assert.ok(acknowledged > 0)
      assert.deepEqual(lost, [])
    }
  })
})

describe('a process that does not start', ON_POSTGRES, () => {
  test('ends all with the message of a single server, if it is the first one', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, error } = await failToStart({ ...variables, PORT: String(port) })
    other.close()
    assert.equal(code, 1)
    assert.match(
      error,
      /^Objectry did not start: \w+ EADDRINUSE[^\n]+: another program [^\n]+: PORT, --port\.\n$/,
    )
  })

  test('is tried again with a delay that grows, and ends all with a message after five times', async () => {
    const deployment = writeDeployment({ 'triggers/spin.ts': TRIGGER })
    await withServer({ OBJECTRY_DEPLOYMENT: deployment }, async (server, log) => {
      const pids = await findPids(server, log)
      let said = ''
      server.child.stderr!.on('data', (text) => {
        said += text
      })
      const ended = once(server.child, 'close')
      writeFileSync(`${deployment}/triggers/spin.ts`, 'export default {')
      process.kill(pids[0]!, 'SIGKILL')
      assert.deepEqual(await ended, [1, null])
      assert.match(said, /^Objectry ends: Process \d did not start 5 times in a row\. .*spin\.ts/m)
      const delays = log().flatMap(({ msg }) => /started again in ([\d.]+) s/.exec(msg)?.[1] ?? [])
      assert.deepEqual(delays, ['0.1', '0.2', '0.4', '0.8', '1.6'])
      await areGone(pids)
    })
  })
})

test('several processes are refused on the embedded engine, with what to do', ON_EMBEDDED, async () => {
  for (const processes of ['2', 'auto']) {
    if (processes === 'auto' && availableParallelism() === 1) continue
    const { code, out, error } = await failToStart({ OBJECTRY_DATA: 'memory' }, ['--processes', processes])
    assert.deepEqual([code, out], [2, ''])
    assert.match(
      error,
      /^Objectry did not start: OBJECTRY_PROCESSES asks for \d+ processes.* Set DATABASE_URL to a PostgreSQL server, or OBJECTRY_PROCESSES to 1\.\n$/,
    )
  }
})

test('auto is as many processes as the machine has cores', () => {
  assert.equal(readConfig({ OBJECTRY_PROCESSES: 'auto' }).processes, availableParallelism())
  assert.equal(readConfig({}).processes, 1)
})
