import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommonState } from '../../src/definitions/common/common-definitions.ts'
import { onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'
import {
  failToStart,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from '../support/server-process.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* What a deployment defines comes to every org of a server while the server serves. */

const box = (...fields: string[]) => ({
  'objects/Box__c.yaml': `fields: { ${fields.map((field) => `${field}: { type: string, length: 10 }`).join(', ')} }`,
})

describe('the orgs of a server', () => {
  let place: { readonly variables: Variables; readonly remove: () => Promise<void> | void }
  let server: ServerProcess
  let token: string
  const folder = writeDeployment(box('A__c'))
  const orgs: { readonly name: string; readonly token: string }[] = []

  before(async () => {
    if (onPostgres) {
      const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'definitions')
      place = { variables: { DATABASE_URL: url }, remove: drop }
    } else {
      const { folder: data, remove } = makeTemporaryFolder()
      place = { variables: { OBJECTRY_DATA: data }, remove }
    }
    await start(folder)
    for (const name of ['One', 'Two', 'Three']) {
      const made = await call('POST', '/setup/orgs', { name })
      credentials.push(made)
      orgs.push({ name, token: await fetchToken(server.address, made) })
    }
  })
  after(async () => {
    await server.end('SIGKILL')
    await place.remove()
    rmSync(folder, { recursive: true })
  })

  const credentials: { readonly clientId: string; readonly clientSecret: string }[] = []
  const first = { clientId: 'first', clientSecret: 'a secret of the first app' }

  async function start(deployment: string): Promise<void> {
    server = await startServer({
      ...place.variables,
      OBJECTRY_CLIENT_ID: first.clientId,
      OBJECTRY_CLIENT_SECRET: first.clientSecret,
      OBJECTRY_DEPLOYMENT: deployment,
    })
    token = await fetchToken(server.address, first)
  }

  async function restart(deployment: string): Promise<void> {
    await server.end('SIGTERM')
    await start(deployment)
  }

  async function answer(method: string, path: string, body?: object, as = token) {
    const response = await fetch(server.address + path, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  async function call(method: string, path: string, body?: object, as = token) {
    const { status, body: answered } = await answer(method, path, body, as)
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answered)}`)
    return answered
  }

  const tokenOf = (index: number) => fetchToken(server.address, credentials[index]!)
  const query = (soql: string, as: string) =>
    call('GET', `/services/data/v64.0/query?q=${encodeURIComponent(soql)}`, undefined, as)
  const create = (object: string, fields: object, as: string) =>
    call('POST', `/services/data/v64.0/sobjects/${object}`, fields, as)

  async function settle(): Promise<Omit<CommonState, 'fingerprint'>> {
    for (;;) {
      const { fingerprint: _, ...state }: CommonState = await call('GET', '/setup/schema')
      if (state.pending === 0) return state
      await sleep(50)
    }
  }

  /** What the command says, but for the lines that tell how far it has come where it takes long. */
  async function deployToAll(...flags: readonly string[]) {
    const { error, ...said } = await runCommand(['deploy', '--all-orgs', ...flags], place.variables)
    return { ...said, error: error.replaceAll(/^\d+ %: .*\n/gm, '') }
  }

  test('have what the deployment defines when they are made', async () => {
    await create('Box__c', { A__c: 'a' }, orgs[0]!.token)
    assert.deepEqual(await settle(), { orgs: 4, done: 4, pending: 0, failures: [] })
  })

  test('get a new deployment with their first call, and without one in the background', async () => {
    await restart(writeDeployment(box('A__c', 'B__c')))
    assert.equal((await query('SELECT A__c, B__c FROM Box__c', await tokenOf(0))).totalSize, 1)
    assert.deepEqual(await settle(), { orgs: 4, done: 4, pending: 0, failures: [] })
    for (const index of [1, 2]) await query('SELECT B__c FROM Box__c', await tokenOf(index))
  })

  test('go on with what they have when they refuse it, say why, and get it when nothing is in the way', async () => {
    const two = await tokenOf(1)
    const ids = []
    for (const _ of [1, 2]) ids.push((await create('Box__c', { A__c: 'same' }, two)).id)
    await restart(
      writeDeployment({
        'objects/Box__c.yaml': `fields:
          A__c: { type: string, length: 10, unique: true }
          B__c: { type: string, length: 10 }`,
      }),
    )
    const state = await settle()
    assert.deepEqual([state.orgs, state.done, state.failures.map(({ name }) => name)], [4, 3, ['Two']])
    assert.match(
      state.failures[0]!.error,
      /^Box__c\.A__c: 2 records with a value of A__c that another record has too/,
    )
    const again = await tokenOf(1)
    assert.equal((await query('SELECT A__c FROM Box__c', again)).totalSize, 2)
    const listed = (await call('GET', '/setup/orgs')).find(({ name }: { name: string }) => name === 'Two')
    assert.equal(listed.upgrade.state, 'failed')
    await call('DELETE', `/services/data/v64.0/sobjects/Box__c/${ids[0]}`, undefined, again)
    while ((await call('GET', '/setup/schema')).done < 4) await sleep(100)
    const refused = await answer('POST', '/services/data/v64.0/sobjects/Box__c', { A__c: 'same' }, again)
    assert.equal(refused.body[0].errorCode, 'DUPLICATE_VALUE')
  })

  test('keep what they have at a start with the same deployment, and get back what one of them has changed', async () => {
    const deployment = writeDeployment(box('A__c', 'B__c'))
    await restart(deployment)
    await settle()
    const versionOf = async (as: string) =>
      (await call('GET', '/setup/orgs/current', undefined, as)).schemaVersion
    const tokens = [await tokenOf(0), await tokenOf(2)] as const
    const files = { objects: { Box__c: { fields: { A__c: { type: 'string', length: 10 } } } } }
    await call('PUT', '/setup/orgs/current/schema', { ...files, allowDestructive: true }, tokens[1])
    const versions = [await versionOf(tokens[0]), await versionOf(tokens[1])]
    assert.equal((await settle()).done, 3)
    await restart(deployment)
    assert.equal((await settle()).done, 4)
    assert.equal(await versionOf(await tokenOf(0)), versions[0])
    assert.equal(await versionOf(await tokenOf(2)), versions[1] + 1)
  })

  test('get what is deployed to all of them, new ones too', async () => {
    const deployment = writeDeployment(box('A__c', 'B__c', 'C__c'))
    const deployed = await deployToAll('--deployment', deployment, '--keep')
    assert.deepEqual(deployed, { code: 0, out: '4 of 4 orgs have it.\n', error: '' })
    await query('SELECT C__c FROM Box__c', await tokenOf(2))
    const made = await call('POST', '/setup/orgs', { name: 'Four' })
    await query('SELECT C__c FROM Box__c', await fetchToken(server.address, made))
    const json = await deployToAll('--deployment', deployment, '--keep', '--json')
    const { fingerprint: _, ...state } = JSON.parse(json.out)
    assert.deepEqual(state, { orgs: 5, done: 5, pending: 0, failures: [] })
  })

  test('get none of a deployment that the first org refuses at a start', async () => {
    for (const _ of [1, 2]) await create('Box__c', { B__c: 'same' }, token)
    const unique = { 'objects/Box__c.yaml': 'fields: { B__c: { type: string, length: 10, unique: true } }' }
    const settings = { ...place.variables, OBJECTRY_DEPLOYMENT: writeDeployment(unique) }
    await server.end('SIGTERM')
    const { error } = await failToStart(settings)
    assert.match(error, /Box__c\.B__c: 2 records with a value of B__c that another record has too/)
    await start(writeDeployment(box('A__c', 'B__c', 'C__c')))
    assert.equal((await settle()).failures.length, 0)
    for (const _ of [1, 2]) await create('Box__c', { B__c: 'same' }, await tokenOf(2))
  })

  test('are asked for permission before something is lost', async () => {
    const args = ['--deployment', writeDeployment(box('A__c', 'B__c'))]
    const refused = await deployToAll(...args)
    assert.equal(refused.code, 1)
    assert.match(refused.out, /^0 of 5 orgs have it\.\n( {2}! .*Box__c\.C__c: goes with its values.*\n){5}$/)
    assert.match(refused.error, /orgs that are marked with ! did not take it/)
    const allowed = await deployToAll(...args, '--allow-destructive')
    assert.deepEqual(allowed, { code: 0, out: '5 of 5 orgs have it.\n', error: '' })
  })

  test('are deployed to by administrators of the first org only, who get what is wrong with the files', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await answer(
        method,
        '/setup/schema',
        method === 'PUT' ? {} : undefined,
        await tokenOf(0),
      )
      assert.deepEqual([method, status, body[0].errorCode], [method, 403, 'INSUFFICIENT_ACCESS'])
    }
    const wrong = await answer('PUT', '/setup/schema', {
      objects: { Box__c: { fields: { A__c: { type: 'strng' } } } },
    })
    assert.deepEqual([wrong.status, wrong.body[0].errorCode], [400, 'DEPLOYMENT_REFUSED'])
    assert.match(wrong.body[0].message, /did you mean string/)
  })

  test('are waited for by a copy of one that waits, and by one that was made while they came', async () => {
    for (const milliseconds of [0, 60, 120, 180]) {
      const name = `D${milliseconds}__c`
      const wanted = {
        objects: { Box__c: { fields: { [name]: { type: 'string', length: 10 } } } },
        mode: 'keep',
      }
      const copy = { name: `Copy ${milliseconds}`, copyOf: 'Three' }
      const [, made] = await Promise.all([
        sleep(milliseconds).then(() => call('PUT', '/setup/schema', wanted)),
        call('POST', '/setup/orgs', copy),
      ])
      await settle()
      await query(`SELECT ${name} FROM Box__c`, await fetchToken(server.address, made))
    }
  })
})

test('flags of objectry deploy that do not go together are refused', async () => {
  for (const [flags, message] of [
    [['--stop'], /--stop goes with --all-orgs/],
    [['--all-orgs', '--plan'], /--plan is for one org/],
    [['--all-orgs', '--org', 'One'], /--org names one org/],
  ] as const) {
    const { code, error } = await runCommand(['deploy', ...flags], {})
    assert.equal(code, 2)
    assert.match(error, message)
  }
})
