import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* `objectry resource` as people run it. */

const deployment = writeDeployment({
  'resources/hello.ts': "export default { path: '/hello', GET: () => 'hello', PUT() {} }",
  'resources/hook.ts': `import { webhook } from 'objectry'
    export default webhook({ path: '/hook/:of', secret: process.env.HOOK_SECRET ?? 's', object: 'Event__c' })`,
})

const LISTED = `name   path       verbs     open to
-----  ---------  --------  -------
hello  /hello     GET, PUT  Guest
hook   /hook/:of  receiver  -
`

const folder = makeDataFolder()
after(() => folder.remove())

describe('objectry resource', ON_EMBEDDED, () => {
  const location = { OBJECTRY_DATA: folder.data }
  const run = (...args: string[]) => runCommand(['resource', ...args], location)
  let server: Objectry

  async function say(...args: string[]): Promise<string> {
    const { code, out, error } = await run(...args)
    assert.deepEqual([code, error], [0, ''])
    return out
  }

  before(async () => {
    const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', deployment }
    server = await start(readConfig({}, settings))
  })
  after(async () => {
    await server.stop()
  })

  const status = async () => (await fetch(`${server.siteAddress}/services/customrest/hello`)).status

  test('opens a resource to the guest and closes it again, which a server notices at once', async () => {
    assert.equal(await status(), 403)
    assert.equal(await say('open', 'hello'), 'hello is open to the guest.\n')
    assert.equal(await status(), 200)
    assert.equal(await say('list'), LISTED)
    assert.equal(await say('close', 'hello'), 'hello is closed to the guest.\n')
    assert.equal(await status(), 403)
  })

  test('opens a resource to a profile', async () => {
    const said = await say('open', 'hook', '--to', 'system administrator')
    assert.equal(said, 'hook is open to system administrator.\n')
    assert.match(await say('list'), /^hook {3}\/hook\/:of {2}receiver {2}System Administrator$/m)
    await say('close', 'hook', '--to', 'System Administrator')
  })

  test('tells which resources, profiles and permission sets there are', async () => {
    const unknown = await run('open', 'hallo')
    assert.equal(unknown.code, 1)
    assert.equal(unknown.error, 'NOT_FOUND: The deployment has no resource hallo. There are hello, hook\n')
    const nobody = await run('open', 'hello', '--to', 'Nobody')
    assert.equal(nobody.code, 1)
    assert.match(
      nobody.error,
      /^INVALID_INPUT: There is no profile or permission set Nobody\. There are .*Guest/,
    )
  })
})

describe('objectry resource, when no server runs', ON_EMBEDDED, () => {
  const run = (variables: object, ...args: string[]) =>
    runCommand(['resource', ...args], { OBJECTRY_DATA: folder.data, ...variables })
  const known = { OBJECTRY_DEPLOYMENT: deployment }

  test('reads the deployment itself', async () => {
    assert.equal((await run(known, 'open', 'hello')).out, 'hello is open to the guest.\n')
    assert.deepEqual(await run(known, 'list'), { code: 0, out: LISTED, error: '' })
    const { code, error } = await run(known, 'open', 'hallo')
    assert.equal(code, 1)
    assert.match(error, /^NOT_FOUND: The deployment has no resource hallo\. There are hello, hook$/m)
  })

  test('asks for the deployment, but to close', async () => {
    for (const args of [['list'], ['open', 'hello']]) {
      const { code, error } = await run({}, ...args)
      assert.equal(code, 1)
      assert.match(error, /^Which deployment\? .* OBJECTRY_DEPLOYMENT, as for the server$/m)
    }
    const closed = await run({}, 'close', 'hello')
    assert.deepEqual(closed, { code: 0, out: 'hello is closed to the guest.\n', error: '' })
  })
})
