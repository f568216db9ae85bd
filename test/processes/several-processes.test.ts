import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config/config.ts'
import { copyCheckout } from '../support/checkout.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { credentialsIn, failToStart, fetchToken } from '../support/server-process.ts'
import {
  ACCOUNTS,
  APP,
  CHECKS,
  call,
  create,
  findPids,
  ON_POSTGRES,
  openDatabase,
  readiness,
  readMetric,
  withServer,
} from '../support/several-processes.ts'
import { until } from '../support/until.ts'

/* `objectry serve --processes`: several server processes on one port and one database. */

before(openDatabase)

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

  test('start one that is killed again and again without a longer delay, and the others take all calls', async () => {
    await withServer({}, async (server, log) => {
      const token = await fetchToken(server.address, APP)
      const statuses: number[] = []
      for (let round = 0; round < 3; round++) {
        const [pid] = await findPids(server, log)
        process.kill(pid!, 'SIGKILL')
        await until(async () => (await readiness(server)) === '503 starting')
        while ((await readiness(server)) !== '200 ready')
          statuses.push((await create(server, token, 'Meanwhile')).status)
      }
      assert.deepEqual(new Set(statuses), new Set([201]))
      const delays = log().flatMap(({ msg }) => /started again in ([\d.]+) s/.exec(msg)?.[1] ?? [])
      assert.deepEqual(delays, Array(3).fill('0.1'))
    })
  })

  test('are answered for with 503 while all are replaced', async () => {
    await withServer({}, async (server, log) => {
      const token = await fetchToken(server.address, APP)
      for (const pid of await findPids(server, log)) process.kill(pid, 'SIGKILL')
      const isUnavailable = async () => (await create(server, token, 'Meanwhile')).status === 503
      await until(() => isUnavailable().catch(() => false))
      assert.equal((await call(server, '/healthz')).status, 200)
      assert.equal(await readiness(server), '503 starting')
      const { status, text } = await call(server, ACCOUNTS, {
        method: 'POST',
        token,
        body: { Name: 'Later' },
      })
      assert.deepEqual([status, JSON.parse(text)[0].errorCode], [503, 'SERVER_UNAVAILABLE'])
      await until(async () => (await readiness(server).catch(() => '')) === '200 ready')
      assert.equal((await create(server, token, 'Afterwards')).status, 201)
      assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
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
