import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { loadDeployed } from '../support/load-deployed.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

const RUNAWAY = `
const keep = []
const HOW = {
  async loops(org) { await org.create('Account', [{ Name: 'loops' }]); for (;;) {} },
  async waits(org) { await org.create('Account', [{ Name: 'waits' }]); await new Promise(() => {}) },
  async grows(org) { await org.create('Account', [{ Name: 'grows' }]); for (;;) keep.push({ a: Math.random() }) },
  async buffers(org) { for (;;) { keep.push(Buffer.alloc(8_000_000, 1)); await new Promise((go) => setTimeout(go, 5)) } },
  async exits(org) { await org.create('Account', [{ Name: 'exits' }]); process.exit(3) },
  async strays() { setTimeout(() => { throw new Error('nobody waits') }, 1); Promise.reject(new Error('nobody cares')); return 'fine' },
  async deep() { const dig = () => dig() + 1; return dig() },
}
export default { path: '/runaway/:how', seconds: 4, POST: ({ params }, org) => HOW[params.how](org) }`

describe('a handler that gets out of hand', () => {
  let o: TestOrg
  const post = (path: string) => o.call('POST', `/services/customrest${path}`)
  const runaway = (how: string) => post(`/runaway/${how}`)

  before(async () => {
    o = await openOrg({
      settings: { handlerMemory: '64' },
      deployment: writeDeployment({
        'resources/runaway.js': RUNAWAY,
        'resources/fine.js': "export default { path: '/fine', POST: () => 'fine' }",
      }),
    })
  })

  const CASES = [
    ['loops', 'The handler runaway was stopped: it took longer than 4 seconds'],
    ['waits', 'The handler runaway was stopped: it took longer than 4 seconds'],
    ['grows', 'The handler runaway was stopped: it used more than 64 MB of memory'],
    ['buffers', 'The handler runaway was stopped: it used more than 64 MB of memory'],
    ['exits', 'The handler runaway was stopped: it ended itself'],
  ] as const

  for (const [how, message] of CASES) {
    test(`is stopped when it ${how}, has written nothing, and the next call is served`, async () => {
      assertRefused(await runaway(how), 500, 'APEX_ERROR', message)
      assert.equal((await post('/fine')).body, 'fine')
      assert.deepEqual(await fetchNames(o, `Account WHERE Name = '${how}'`), [])
    })
  }

  test('in ways that nobody waits for harms no call, and is logged', async () => {
    assert.equal((await runaway('strays')).body, 'fine')
    while (!['waits', 'cares'].every((word) => o.said.some((line) => line.includes(`nobody ${word}`))))
      await sleep(5)
    assert.equal((await post('/fine')).body, 'fine')
  })

  test('gives an error like any other when it calls itself without end', async () => {
    assertRefused(await runaway('deep'), 500, 'APEX_ERROR', /^RangeError: Maximum call stack size exceeded/)
  })
})

describe('a handler that may take longer than its call', () => {
  let o: TestOrg

  before(async () => {
    o = await openOrg({
      settings: { callSeconds: '1' },
      deployment: writeDeployment({
        'resources/runaway.js': RUNAWAY.replace('seconds: 4,', 'seconds: 30,'),
        'resources/fine.js': "export default { path: '/fine', POST: () => 'fine' }",
      }),
    })
  })

  for (const how of ['loops', 'waits']) {
    test(`is stopped with the call when it ${how}, has written nothing, and the next call is served`, async () => {
      const post = (path: string) => o.call('POST', `/services/customrest${path}`)
      const message = 'Your request was running for too long, and has been stopped.'
      assertRefused(await post(`/runaway/${how}`), 503, 'REQUEST_RUNNING_TOO_LONG', message)
      assert.equal((await post('/fine')).body, 'fine')
      assert.deepEqual(await fetchNames(o, `Account WHERE Name = '${how}'`), [])
    })
  }
})

describe('code of a deployment that changes', () => {
  const resource = (answer: string) => `export default { path: '/changes', GET: () => ${answer} }`

  async function opened() {
    const deployment = writeDeployment({ 'resources/changes.ts': resource("'one'") })
    const o = await openOrg({ settings: { watch: 'true' }, deployment })
    const get = async (path = '/changes') => (await o.call('GET', `/services/customrest${path}`)).body
    const write = (text: string, name = 'changes.ts') =>
      writeFileSync(join(deployment, 'resources', name), text)
    const until = async (what: () => Promise<boolean> | boolean) => {
      while (!(await what())) await sleep(10)
    }
    return { o, get, write, until, deployment }
  }

  test('is loaded again, also the files that it imports and those that are new', async () => {
    const { get, write, until, deployment } = await opened()
    assert.equal(await get(), 'one')
    mkdirSync(join(deployment, 'words'))
    writeFileSync(join(deployment, 'words', 'word.ts'), "export const word: string = 'two'")
    write(`import { word } from '../words/word.ts'\n${resource('word')}`)
    await until(async () => (await get()) === 'two')
    writeFileSync(join(deployment, 'words', 'word.ts'), "export const word = 'three'")
    await until(async () => (await get()) === 'three')
    write("export default { path: '/new', GET: () => 'new' }", 'new.ts')
    await until(async () => (await get('/new')) === 'new')
  })

  test('is logged with its line when it is broken, and the code before it stays', async () => {
    const { o, get, write, until } = await opened()
    const reported = (pattern: RegExp) => until(() => o.said.some((message) => pattern.test(message)))
    write(`\n\nexport default { path: '/changes', GET: () => { }`)
    await reported(/The resource .*changes\.ts cannot be loaded: .*changes\.ts:3/s)
    assert.equal(await get(), 'one')
    write("export default { path: 'changes', GET: () => 1 }")
    await reported(/The resource .*changes\.ts has the path changes; write segments/)
    assert.equal(await get(), 'one')
    write(resource("'mended'"))
    await until(async () => (await get()) === 'mended')
  })

  test('lets calls under way end with what they began with', async () => {
    const { get, write, until } = await opened()
    write(resource("new Promise((done) => setTimeout(done, 500, 'old'))"))
    await until(async () => (await get()) === 'old')
    const late = get()
    write(resource("'new'"))
    await until(async () => (await get()) === 'new')
    assert.equal(await late, 'old')
  })
})

describe('a file of the folder resources', () => {
  const REFUSED = [
    ['', /does not say its path; write: path: '\/hello'/],
    ['export default 3', /has no default export of this form; write: export default \{ path: '\/hello'/],
    ["export default { path: '/a' }", /does nothing; it may have GET, POST, PUT, PATCH, DELETE/],
    ["export default { path: '/a', GET: 3 }", /has a GET that is no function/],
    ["export default { path: '/a', Get() {} }", /has Get, which is none of path, GET/],
    ['export default { GET() {} }', /does not say its path; write: path: '\/hello'/],
    ["export default { path: '/a/*/b', GET() {} }", /has the path \/a\/\*\/b/],
    [
      "export default { path: '/a', seconds: 0, GET() {} }",
      /has a seconds that is no number from 0.1 to 600/,
    ],
    ["export default { path: '/a', types: [1], GET() {} }", /has types that are no texts/],
    [
      "export default { path: '/a', transaction: 'no', GET() {} }",
      /has a transaction that is neither true nor false/,
    ],
    ["throw new Error('at once')", /cannot be loaded: Error: at once/],
    ['for (;;) process.exit(1)', /it ended itself/],
    ["import 'nothing-of-this-name'", /cannot be loaded: .*nothing-of-this-name/],
  ] as const

  for (const [text, message] of REFUSED) {
    test(`that is ${JSON.stringify(text)} is refused`, async () => {
      await assert.rejects(loadDeployed({ 'resources/wrong.ts': text }), { message })
    })
  }

  test('has a path of its own', async () => {
    const files = {
      'resources/a.ts': "export default { path: '/a/:x', GET() {} }",
      'resources/b.ts': "export default { path: '/a/:y', GET() {} }",
    }
    await assert.rejects(loadDeployed(files), {
      message: /a\.ts and .*b\.ts have one path/,
    })
  })
})
