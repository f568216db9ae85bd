import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ON_EMBEDDED } from '../support/engine.ts'
import {
  fetchToken,
  makeDataFolder,
  type ServerProcess,
  startServer,
  type Variables,
} from '../support/server-process.ts'
import { deploymentWith } from '../support/trigger-files.ts'

/* A server process whose event loop a trigger blocks: triggers run on it. */

const HELD_WORK = pathToFileURL(`${import.meta.dirname}/../../src/base/exit-hold.ts`).href

/** Does what an account's name says before it is inserted. */
const TRIGGER = `
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { heldWork } from '${HELD_WORK}'

function spin(milliseconds) {
  const end = performance.now() + Number(milliseconds)
  while (performance.now() < end);
}

const WAYS = {
  spin,
  // Other calls arrive meanwhile.
  async pauseAndSpin(milliseconds) {
    await sleep(1000)
    spin(milliseconds)
  },
  runProgram: (milliseconds) => execFileSync('sleep', [String(milliseconds / 1000)]),
  async spinWhileHeld(milliseconds) {
    process.stderr.write('The trigger waits.\\n')
    for (let waited = 0; heldWork[0] === 0; waited += 20) {
      if (waited > 3000) throw new Error('Nothing began that holds the exit.')
      await sleep(20)
    }
    spin(milliseconds)
  },
}

export default {
  object: 'Account',
  async beforeInsert([{ record }]) {
    const [way, milliseconds] = record.Name.split(' ')
    await WAYS[way]?.(milliseconds)
  },
}`

const CLIENT = { clientId: 'tests', clientSecret: 'secret of the tests' }

type Line = Readonly<Record<string, unknown>>

interface BlockableServer {
  readonly process: ServerProcess
  call(method: string, path: string, body?: unknown): Promise<number>
  /** Blocks the event loop as the trigger does; the status of the call. */
  block(way: string): Promise<number>
  /** Everything that was said so far. */
  output(): string
  /** Lines about the event loop. */
  lines(): Line[]
  /** Waits for the line that ends a block. */
  untilItTurns(count: number): Promise<void>
  metric(name: string): Promise<number>
  stop(): Promise<void>
}

async function openServer(
  settings: Variables = {},
  wrapper: readonly string[] = [],
): Promise<BlockableServer> {
  const folder = makeDataFolder()
  const variables = {
    OBJECTRY_DATA: folder.data,
    OBJECTRY_LOG_LEVEL: 'info',
    OBJECTRY_DEPLOYMENT: deploymentWith({ 'block.ts': TRIGGER }),
    OBJECTRY_CLIENT_ID: CLIENT.clientId,
    OBJECTRY_CLIENT_SECRET: CLIENT.clientSecret,
    ...settings,
  }
  const process = await startServer(variables, [], wrapper)
  let said = ''
  for (const stream of [process.child.stdout!, process.child.stderr!]) {
    stream.on('data', (text) => {
      said += text
    })
  }
  const authorization = `Bearer ${await fetchToken(process.address, CLIENT)}`
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(process.address + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    await response.text()
    return response.status
  }
  const lines = () =>
    said.split('\n').flatMap((line) => (/"msg":"event loop/.test(line) ? [JSON.parse(line) as Line] : []))
  return {
    process,
    call,
    block: (way) => call('POST', '/services/data/v64.0/sobjects/Account?note=private', { Name: way }),
    output: () => said,
    lines,
    async untilItTurns(count) {
      while (lines().filter(({ msg }) => msg === 'event loop turns again').length < count) await sleep(50)
    },
    async metric(name) {
      const text = await (await fetch(`${process.address}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    },
    async stop() {
      process.child.kill('SIGKILL')
      await process.end('SIGKILL')
      folder.remove()
    },
  }
}

const NO_STACK = /^not available/

describe('a server', ON_EMBEDDED, () => {
  let server: BlockableServer
  before(async () => {
    server = await openServer()
  })
  after(() => server?.stop())

  test('logs nothing about its event loop under ordinary load', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => server.block(`Plain ${index}`)),
    )
    assert.deepEqual(new Set(statuses), new Set([201]))
    await sleep(1500)
    assert.deepEqual(server.lines(), [])
    assert.equal(await server.metric('objectry_event_loop_blocks_total'), 0)
  })

  test('does not take a time in which it was suspended for a block', async () => {
    server.process.child.kill('SIGSTOP')
    await sleep(2000)
    server.process.child.kill('SIGCONT')
    assert.equal(await server.block('Plain'), 201)
    await sleep(1500)
    assert.deepEqual(server.lines(), [])
  })

  test('logs what blocks its event loop once, with route and stack, and once more when it turns again', async () => {
    const blocking = server.block('pauseAndSpin 3000')
    await sleep(300)
    // It arrives later and waits for the connection: it does not block anything.
    const waiting = server.call('GET', '/services/data/v64.0/query?q=SELECT+Id+FROM+Account')
    assert.deepEqual(await Promise.all([blocking, waiting]), [201, 200])
    await server.untilItTurns(1)
    const [begin, end, ...more] = server.lines() as [Line, Line]
    assert.deepEqual(more, [])
    const { level, pid, milliseconds, msg } = begin
    assert.deepEqual(
      { level, pid, msg },
      { level: 40, pid: server.process.child.pid, msg: 'event loop blocked' },
    )
    // Where the machine is overloaded the first line has to go without, and the second has the stack.
    const told = NO_STACK.test(String(begin.stack)) ? end : begin
    assert.deepEqual([told.method, told.route], ['POST', '/sobjects/:object'])
    assert.match(String(told.stack), /at spin \(file:.*\/block\.ts:\d+:\d+\)\nat pauseAndSpin \(file:/)
    if (told === begin) {
      assert.deepEqual([end.method, end.route, end.stack], ['POST', '/sobjects/:object', undefined])
    }
    assert.ok(Number(end.milliseconds) > Number(milliseconds))
    assert.doesNotMatch(server.output(), /private/)
    assert.equal(await server.metric('objectry_event_loop_blocks_total'), 1)
    assert.ok((await server.metric('objectry_event_loop_blocked_seconds_total')) > 1)
  })

  test('logs the stack of native code when that has returned', async () => {
    assert.equal(await server.block('runProgram 4000'), 201)
    await server.untilItTurns(2)
    const [begin, end] = server.lines().slice(2) as [Line, Line]
    assert.match(String(begin.stack), NO_STACK)
    assert.equal(begin.route, undefined)
    assert.match(String(end.stack), /\/block\.ts/)
    assert.equal(end.route, '/sobjects/:object')
  })
})

describe('a server with OBJECTRY_BLOCKED_EXIT_SECONDS', ON_EMBEDDED, () => {
  const settings = { OBJECTRY_BLOCKED_EXIT_SECONDS: '2' }
  let server: BlockableServer
  before(async () => {
    server = await openServer(settings)
  })
  after(() => server?.stop())

  const ORG = '/setup/orgs/current'
  const HELD = [
    ['a deployment', 'PUT', `${ORG}/schema`, { objects: {}, mode: 'keep' }],
    ['a restore', 'POST', `${ORG}/restore`, { snapshot: 'blocked' }],
    ['a reset', 'POST', `${ORG}/reset`, undefined],
  ] as const

  test('does not end itself during a deployment, a restore or a reset', async () => {
    assert.equal(await server.call('PUT', `${ORG}/snapshots/blocked`), 200)
    const countWaits = () => server.output().split('The trigger waits.').length
    for (const [what, method, path, body] of HELD) {
      let status: number
      do {
        const before = countWaits()
        const blocking = server.block('spinWhileHeld 3500')
        // It has the connection, so what follows waits for it.
        while (countWaits() === before) await sleep(20)
        const held = server.call(method, path, body)
        status = await blocking
        assert.ok((await held) < 300, what)
        // If what follows waited for the connection already to know its caller, it had not begun: that round shows nothing.
      } while (status !== 201)
    }
  })

  test('ends itself with 137 when its event loop was blocked for that long, and says so', async () => {
    const blocking = server.block('spin 60000').catch(() => 'cut off')
    const { child } = server.process
    const ended = once(child, 'close')
    assert.equal(await blocking, 'cut off')
    // To a shell this is 137.
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.match(
      server.output(),
      /^Objectry ends itself: its event loop was blocked for 2 s \(OBJECTRY_BLOCKED_EXIT_SECONDS\)\.$/m,
    )
  })
})

test('a server that is debugged is neither logged about nor ended', ON_EMBEDDED, async () => {
  const server = await openServer({
    OBJECTRY_BLOCKED_EXIT_SECONDS: '2',
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
  })
  try {
    assert.equal(await server.block('spin 3500'), 201)
    await sleep(1500)
    assert.deepEqual(server.lines(), [])
  } finally {
    await server.stop()
  }
})

const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'] as const
const [command, ...options] = CONTAINER
const mayUnshare = spawnSync(command, [...options, 'true']).status === 0

test('a server that is the first process of a container ends itself with 137 too', {
  ...ON_EMBEDDED,
  skip: ON_EMBEDDED.skip || (!mayUnshare && 'a process id namespace needs rights'),
}, async () => {
  const server = await openServer({ OBJECTRY_BLOCKED_EXIT_SECONDS: '2' }, CONTAINER)
  try {
    const ended = once(server.process.child, 'close')
    await assert.rejects(server.block('spin 60000'))
    // `unshare` exits as its process has.
    assert.deepEqual(await ended, [137, null])
  } finally {
    await server.stop()
  }
})
