import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'
import { makeSignature, SECRET } from '../support/webhooks.ts'

/* `objectry webhook` as people run it. */

const hook = (name: string, process: string) => `
import { webhook } from 'objectry'
export default webhook({
  path: '/${name}', secret: ${JSON.stringify(SECRET)}, object: 'Event__c', eventId: 'id', retries: [],
  runAs: 'admin@objectry.local', ${process}
})`

const deployment = writeDeployment({
  'objects/Event__c.yaml':
    'fields: { Event_Id__c: { type: string, length: 255, externalId: true, unique: true } }',
  'resources/fine.ts': hook('fine', ''),
  'resources/broken.ts': hook(
    'broken',
    `async process(event, org) {
      const works = await org.query("SELECT Id FROM Account WHERE Name = 'works'")
      if (works.length === 0) throw new Error('does not work \\u001b[31m')
    }`,
  ),
})

describe('objectry webhook', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(['webhook', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry
  let headers: Record<string, string>

  async function say(...args: string[]): Promise<string> {
    const { code, out, error } = await run(...args)
    assert.deepEqual([code, error], [0, ''])
    return out
  }

  async function call<Body>(method: string, path: string, text?: string, more = {}): Promise<Body> {
    const response = await fetch(server.address + path, {
      ...{ method, body: text ?? null },
      headers: { ...headers, ...more },
    })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return response.json() as Promise<Body>
  }

  const deliver = async (receiver: string, event: object): Promise<string> => {
    const text = JSON.stringify(event)
    const signature = { 'x-hub-signature-256': makeSignature(text) }
    return (await call<{ id: string }>('POST', `/services/customrest/${receiver}`, text, signature)).id
  }

  const untilStatus = (id: string, status: string) =>
    until(async () => {
      const found = await call<{ status: string }>('GET', `/setup/orgs/current/webhooks/deliveries/${id}`)
      return found.status === status && found
    })

  before(async () => {
    const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', deployment }
    server = await start(readConfig({}, settings))
    const token = await server.issueToken()
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('says so when there is nothing to list', async () => {
    assert.equal(await say('deliveries'), 'There are no such deliveries.\n')
  })

  test('list tells what became of the deliveries of each receiver', async () => {
    await untilStatus(await deliver('fine', { id: 'a' }), 'Done')
    await untilStatus(await deliver('broken', { id: 'b' }), 'Dead')
    assert.equal(
      await say('list'),
      `name    path     object    signature  queued  done  retrying  dead
------  -------  --------  ---------  ------  ----  --------  ----
broken  /broken  Event__c  hub             0     0         0     1
fine    /fine    Event__c  hub             0     1         0     0
`,
    )
  })

  test('deliveries prints the newest ones, or those that are asked for', async () => {
    const lines = (await say('deliveries')).trimEnd().split('\n')
    assert.match(lines[0]!, /^id {17} received {13} receiver {2}status {2}attempts {2}event {2}error$/)
    assert.match(
      lines[2]!,
      /^0Wd\w{15} {2}\S+Z {2}broken {4}Dead {11}1 {2}b {6}Error: does not work \\u001b\[31m$/,
    )
    assert.match(lines[3]!, /^0Wd\w{15} {2}\S+Z {2}fine {6}Done {11}1 {2}a {6}-$/)
    assert.equal(lines.length, 4)
    assert.doesNotMatch(await say('deliveries', '--status', 'dead'), / fine /)
    assert.doesNotMatch(await say('deliveries', '--receiver', 'fine', '--limit', '1'), / broken /)
    const { code, error } = await run('deliveries', '--limit', '0')
    assert.deepEqual([code, error], [1, 'INVALID_INPUT: limit is a number from 1 to 1000\n'])
  })

  test('show prints everything of a delivery, and nothing that moves the cursor', async () => {
    const id = await deliver('broken', { id: 'shown' })
    await untilStatus(id, 'Dead')
    const out = await say('show', id)
    assert.match(
      out,
      new RegExp(`^${id}\\n {2}receiver {6}broken\\n {2}status {8}Dead\\n {2}attempts {6}1\\n`),
    )
    assert.match(
      out,
      /\nerror\nError: does not work \\u001b\[31m\n\nbroken: line \d+, column \d+\n\nheaders\n/,
    )
    assert.match(out, /\n {2}content-type {9}application\/json\n/)
    assert.match(out, /\nbody of 14 bytes\n\{"id":"shown"\}\n$/)
    const { code, error } = await run('show', '0Wd')
    assert.deepEqual([code, error], [1, 'NOT_FOUND: There is no such delivery\n'])
  })

  test('replay queues deliveries again, some or all that are dead', async () => {
    await untilStatus(await deliver('broken', { id: 'c' }), 'Dead')
    const dead = await call<{ id: string }[]>('GET', '/setup/orgs/current/webhooks/deliveries?status=Dead')
    const ids = dead.map(({ id }) => id)
    await call('POST', '/services/data/v64.0/sobjects/Account', '{"Name":"works"}')
    assert.equal(await say('replay', '--dead', '--receiver', 'fine'), '0 deliveries queued again.\n')
    assert.equal(await say('replay', ids[0]!, ids[0]!), '1 delivery queued again.\n')
    await untilStatus(ids[0]!, 'Done')
    assert.equal(await say('replay', '--dead'), '2 deliveries queued again.\n')
    for (const id of ids) await untilStatus(id, 'Done')
    const unknown = await run('replay', '0WdOB0000999999', ids[0]!)
    assert.equal(unknown.code, 1)
    assert.match(
      unknown.error,
      /^0WdOB0000999999: NOT_FOUND: There is no such delivery\n1 delivery could not be replayed\.\n$/,
    )
  })

  test('replay wants to know which', async () => {
    const none = await run('replay')
    assert.deepEqual([none.code, none.error], [2, 'Which ones? Name their ids, or say --dead for all.\n'])
    for (const more of [['--dead'], ['--receiver', 'fine']]) {
      const both = await run('replay', '0WdOB0000999999', ...more)
      assert.deepEqual([both.code, both.error], [2, 'Either ids, or --dead with --receiver: not both.\n'])
    }
  })
})
