import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { fetchToken, makeDataFolder, startServer } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* The bundle that `npm ci` makes, in a copy of this checkout. */

const APP = { clientId: 'tests', clientSecret: 'secret of the tests' }

/** Blocks the event loop for longer than the watchdog accepts. */
const TRIGGER = `export default {
  object: 'Account',
  beforeInsert() {
    const end = performance.now() + 1500
    while (performance.now() < end);
  },
}`

const RESOURCE = `import { reply } from 'objectry'
export default { path: '/hello', GET: () => reply(202, { hello: 'world' }) }`

const BROKEN_RESOURCE = `import { HttpError } from 'objectry'
export default { path: '/refusal', GET: () => { throw new HttpError(418, 'a teapot') } }`

describe('a bundle', ON_EMBEDDED, () => {
  let checkout: Checkout
  before(() => {
    checkout = copyCheckout()
    assert.equal(checkout.prepare(), '')
    checkout.say('build/server/objectry.js', 'bundled')
  })
  after(() => checkout?.dispose())

  test('runs commands', () => {
    assert.match(checkout.run('--version'), /^bundled\n\d+\.\d+\.\d+\n/)
    assert.match(checkout.run('schema', '--help'), /definition files[\s\S]*import/)
  })

  test('serves with its engine, deployed code and watchdog in threads', async () => {
    const folder = makeDataFolder()
    const deployment = writeDeployment({
      'triggers/block.ts': TRIGGER,
      'resources/hello.ts': RESOURCE,
      'resources/refusal.ts': BROKEN_RESOURCE,
    })
    const variables = {
      OBJECTRY_DATA: folder.data,
      OBJECTRY_DEPLOYMENT: deployment,
      OBJECTRY_LOG_LEVEL: 'warn',
      OBJECTRY_CLIENT_ID: APP.clientId,
      OBJECTRY_CLIENT_SECRET: APP.clientSecret,
    }
    const server = await startServer(variables, [], [], checkout.command)
    try {
      const token = await fetchToken(server.address, APP)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const get = (path: string) => fetch(`${server.address}/services/customrest${path}`, { headers })
      const hello = await get('/hello')
      assert.deepEqual([hello.status, await hello.json()], [202, { hello: 'world' }])
      // The class that code imports is the one that the thread knows.
      assert.equal((await get('/refusal')).status, 418)

      const lines = createInterface(server.child.stdout!)
      // A busy machine may be told of slow statements first.
      const blocked = (async () => {
        for await (const line of lines) if (line.includes('event loop blocked')) return line
        throw new Error('the server ended without a word of a blocked event loop')
      })()
      const body = JSON.stringify({ Name: 'Acme' })
      const url = `${server.address}/services/data/v64.0/sobjects/Account`
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 201)
      const { msg, stack } = JSON.parse(await blocked)
      assert.equal(msg, 'event loop blocked')
      assert.match(stack, /beforeInsert \(\S+triggers\/block\.ts:5:/)
      assert.match(
        stack,
        /\/src\/records\/(?:write|steps)\/\S+\.ts:\d+:\d+\)/,
        'the stack names source files',
      )
      assert.doesNotMatch(stack, /build\/server/)
    } finally {
      await server.end('SIGTERM')
      folder.remove()
    }
  })

  test('is used until one of its sources changes', () => {
    assert.match(checkout.run('--help'), /bundled/)
    checkout.say('src/cli/user.ts', 'edited')
    const said = checkout.run('--help')
    assert.match(said, /edited/)
    assert.doesNotMatch(said, /bundled/)
    checkout.prepare()
    checkout.say('build/server/objectry.js', 'bundled')
    assert.match(checkout.run('--help'), /bundled\nedited|edited\nbundled/)
  })

  test('is used until other packages are installed', () => {
    checkout.replace('node_modules/.package-lock.json', 'others')
    assert.doesNotMatch(checkout.run('--help'), /bundled/)
  })

  test('is not needed: without one, the sources run', () => {
    checkout.remove('node_modules/esbuild')
    checkout.prepare()
    assert.match(checkout.run('--version'), /^edited\n\d+\.\d+\.\d+\n/)
  })
})
