import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { credentialsIn, fetchToken, makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* `objectry org` as people run it, and `--org` of the other commands. */

describe('objectry org', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const deployment = writeDeployment({ 'objects/Box__c.yaml': 'fields: { Size__c: { type: int } }' })
  const settings = { OBJECTRY_DATA: folder.data, OBJECTRY_DEPLOYMENT: deployment }
  const run = (...args: string[]) => runCommand(args, settings)
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', logLevel: 'silent', deployment }))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  async function create(token: string, object: string, fields: object) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const url = `${server.address}/services/data/v64.0/sobjects/${object}`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) })
    assert.equal(response.status, 201)
  }

  /** Makes an org and gives a token for it, by the client that the command told. */
  async function make(...args: string[]): Promise<string> {
    const { code, out, error } = await run('org', ...args)
    assert.deepEqual([code, error], [0, ''])
    return fetchToken(server.address, credentialsIn(out)!)
  }

  const names = async (...args: string[]) =>
    (await run('query', 'SELECT Name FROM Account ORDER BY Name', '--format', 'csv', ...args)).out
      .trimEnd()
      .split('\r\n')
      .slice(1)

  test('create tells the client of the new org once, and what it is good for', async () => {
    const { code, out, error } = await run('org', 'create', 'Acme', '--host', 'acme.localhost')
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^Made Acme \(00D\w{15}\), reached at acme\.localhost\.\n/)
    assert.match(
      out,
      /\nKeep them: they are shown this once\. A token of this client opens this org; commands take --org\.\n$/,
    )
    const token = await fetchToken(server.address, credentialsIn(out)!)
    await create(token, 'Account', { Name: 'at Acme' })
    assert.deepEqual(await names('--org', 'Acme'), ['at Acme'])
    assert.deepEqual(await names(), [])
  })

  test('create gives an org the objects of the deployment', async () => {
    const token = await make('create', 'With boxes')
    await create(token, 'Box__c', { Size__c: 3 })
  })

  test('fork makes an org with the records of another, and from then on they go their own ways', async () => {
    await make('fork', 'Acme 2', '--from', 'acme')
    assert.deepEqual(await names('--org', 'Acme 2'), ['at Acme'])
    const token = await make('fork', 'Acme 3', '--from', 'Acme 2')
    await create(token, 'Account', { Name: 'later' })
    assert.deepEqual(await names('--org', 'Acme 3'), ['at Acme', 'later'])
    assert.deepEqual(await names('--org', 'Acme 2'), ['at Acme'])
    await make('fork', 'Home 2')
    assert.deepEqual(await names('--org', 'Home 2'), [])
  })

  test('list prints ids, names and how far upgrades are, and --org takes either', async () => {
    const { out } = await run('org', 'list')
    const [titles, , ...orgs] = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    assert.deepEqual(titles, ['name', 'id', 'upgrade'])
    assert.deepEqual(
      orgs.map(([name]) => name),
      ['Objectry', 'Acme', 'With boxes', 'Acme 2', 'Acme 3', 'Home 2'],
    )
    assert.deepEqual(new Set(orgs.map(([, , upgrade]) => upgrade)), new Set(['up to date']))
    assert.deepEqual(await names('--org', orgs[1]![1]!), ['at Acme'])
  })

  test('reset empties the org that is named and no other', async () => {
    assert.deepEqual(await run('org', 'reset', 'Acme 2'), { code: 0, out: 'Emptied Acme 2.\n', error: '' })
    assert.deepEqual(await names('--org', 'Acme 2'), [])
    assert.deepEqual(await names('--org', 'Acme'), ['at Acme'])
  })

  test('delete removes the org with everything in it', async () => {
    assert.deepEqual(await run('org', 'delete', 'Acme 3'), { code: 0, out: 'Removed Acme 3.\n', error: '' })
    const { code, error } = await run('query', 'SELECT Id FROM Account', '--org', 'Acme 3')
    assert.equal(code, 1)
    assert.match(error, /^NOT_FOUND: /)
    assert.doesNotMatch((await run('org', 'list')).out, /Acme 3/)
  })

  test('what cannot be is refused with the reason', async () => {
    for (const [args, message] of [
      [
        ['create', 'acme'],
        /^DUPLICATE_VALUE: Org "acme" already exists. Choose another name or delete it first\n$/,
      ],
      [
        ['create', 'New', '--host', 'acme.localhost'],
        /^DUPLICATE_VALUE: Another org has the host acme\.localhost\n$/,
      ],
      [['fork', 'New', '--from', 'Nobody'], /^NOT_FOUND: /],
      [['reset', 'Nobody'], /^NOT_FOUND: /],
      [['delete', 'Objectry'], /^DELETE_FAILED: The first org cannot be deleted: it manages the others\n$/],
    ] as const) {
      const { code, out, error } = await run('org', ...args)
      assert.deepEqual([code, out], [1, ''])
      assert.match(error, message)
    }
  })
})
