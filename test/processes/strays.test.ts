import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'
import { fetchToken, type ServerProcess, type Variables } from '../support/server-process.ts'
import {
  APP,
  call,
  create,
  findPids,
  isAlive,
  type Line,
  ON_POSTGRES,
  openDatabase,
  withServer,
} from '../support/several-processes.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

/* Work that a trigger leaves behind without waiting for it, in the server's own process. */

const TRIGGER = `
import { readFile } from 'node:fs'
import { connect } from 'node:net'
const HOW: Record<string, (org: any) => unknown> = {
  'forgotten query': (org) => { org.query('SELECT Nope FROM Account') },
  'forgotten rejection': () => { Promise.reject(new Error('nobody cares')) },
  'late write': (org) => { setTimeout(() => org.create('Contact', [{ LastName: 'late' }]), 300) },
  timer: () => { setTimeout(() => { throw new Error('nobody waits') }, 1) },
  callback: () => { readFile('/nonexistent', (error) => { throw error }) },
  socket: () => { connect(1, '127.0.0.1') },
}
export default {
  object: 'Account',
  async afterInsert(changes: any[], org: any) {
    for (const { record } of changes) HOW[record.Name]?.(org)
  },
}`

const RULES = `
export default {
  computed: { Twice__c: ({ Name }: any) => { Promise.reject(new Error('of a rule')); return Name + Name } },
}`

const deployment = () =>
  writeDeployment({
    'triggers/leaves-behind.ts': TRIGGER,
    'objects/Box__c.yaml': 'fields: { Twice__c: { type: string, length: 100, computed: true } }',
    'objects/Box__c.ts': RULES,
  })

interface StrayLine extends Line {
  readonly level: number
  readonly failure?: string
  readonly stack?: string
  readonly trigger?: string
}

const isStray = ({ msg }: Line) => /nothing waits for: .* may lack an await$/.test(msg)

const FAILURES = {
  'forgotten query': /Nope/,
  'forgotten rejection': /^nobody cares$/,
  'late write': /^The transaction is over/,
  timer: /^nobody waits$/,
  callback: /ENOENT/,
  socket: /ECONNREFUSED/,
}

async function fetchNames(server: ServerProcess, token: string): Promise<readonly string[]> {
  const path = '/services/data/v64.0/query?q=SELECT+LastName+FROM+Contact'
  const { text } = await call(server, path, { token })
  return JSON.parse(text).records.map(({ LastName }: { LastName: string }) => LastName)
}

/** Inserts an account of each kind, and checks that each failure is logged once. */
async function leaveBehind(server: ServerProcess, log: () => Line[]): Promise<void> {
  const token = await fetchToken(server.address, APP)
  const strays = () => log().filter(isStray) as StrayLine[]
  for (const [name, failure] of Object.entries(FAILURES)) {
    const before = strays().length
    assert.equal((await create(server, token, name)).status, 201, name)
    const [line, ...more] = await until(() => (strays().length > before ? strays().slice(before) : undefined))
    assert.deepEqual([line!.level, line!.trigger, more], [50, 'leaves-behind', []], name)
    assert.match(line!.failure!, failure)
    assert.ok(line!.stack!.includes(line!.failure!), line!.stack)
  }
  const before = strays().length
  const box = '/services/data/v64.0/sobjects/Box__c'
  assert.equal((await call(server, box, { method: 'POST', token, body: { Name: 'a' } })).status, 201)
  const [line] = await until(() => (strays().length > before ? strays().slice(before) : undefined))
  assert.equal(line!.failure, 'of a rule')
  assert.deepEqual(await fetchNames(server, token), [])
}

describe('a server whose trigger leaves behind what fails', () => {
  const settings = (): Variables => ({ OBJECTRY_DEPLOYMENT: deployment(), OBJECTRY_LOG_LEVEL: 'info' })

  test('goes on, and logs each failure once, with advice', ON_EMBEDDED, async () => {
    const app = { OBJECTRY_CLIENT_ID: APP.clientId, OBJECTRY_CLIENT_SECRET: APP.clientSecret }
    await withServer({ ...settings(), ...app, OBJECTRY_DATA: 'memory' }, async (server, log) => {
      await leaveBehind(server, log)
      assert.equal(server.child.exitCode, null)
    })
  })

  describe('as one of several processes', ON_POSTGRES, () => {
    before(openDatabase)

    test('goes on too', () =>
      withServer(settings(), async (server, log) => {
        const pids = await findPids(server, log)
        await leaveBehind(server, log)
        assert.deepEqual(pids.map(isAlive), [true, true])
      }))
  })
})
