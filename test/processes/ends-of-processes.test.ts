import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { killDuringCreates } from '../support/creates-under-load.ts'
import { failToStart, fetchToken, type ServerProcess } from '../support/server-process.ts'
import {
  APP,
  areGone,
  CHECKS,
  call,
  create,
  findPids,
  isAlive,
  makeFresh,
  ON_POSTGRES,
  openDatabase,
  readiness,
  readMetric,
  variables,
  withServer,
} from '../support/several-processes.ts'
import { deploymentWith, writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

/* How processes of `objectry serve --processes` end, and what becomes of the others. */

before(openDatabase)

/** Blocks the event loop for as long as the account's name says. */
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
