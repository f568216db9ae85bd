import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { spawnCommand } from '../support/command-process.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { whileTableIsLocked } from '../support/locked-table.sql.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'
import { fetchToken, makeDataFolder } from '../support/server-process.ts'

/* `objectry snapshot` as people run it. */

let server: Objectry
let token: string

async function begin(flags: Readonly<Record<string, string>>) {
  server = await start(readConfig({}, { port: '0', logLevel: 'silent', ...flags }))
  token = await fetchToken(server.address, server.firstApp!)
}

async function send(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(`${server.address}/services/data/v64.0${path}`, {
    method,
    headers,
    body: text,
  })
  return response.status === 204 ? undefined : response.json()
}

const createAccount = (Name: string) => send('POST', '/sobjects/Account', { Name })

async function accountNames(): Promise<string[]> {
  const result = (await send('GET', '/query?q=SELECT+Name+FROM+Account+ORDER+BY+Name')) as {
    records: { Name: string }[]
  }
  return result.records.map(({ Name }) => Name)
}

type Run = (...args: string[]) => ReturnType<typeof runCommand>

const runningOn =
  (settings: () => Readonly<Record<string, string>>): Run =>
  (...args) =>
    runCommand(['snapshot', ...args], settings())

/** Rules that hold wherever the org is, a server beside it or not. */
function holdsEverywhere(run: Run) {
  test('saves the org and puts it back', async () => {
    await createAccount('Kept')
    const saved = await run('save')
    assert.equal(saved.error, '')
    assert.match(
      saved.out,
      /^Saved start: \d+ records\. Back to it: objectry snapshot restore start\nA restore takes away .*\n$/,
    )
    const names = await accountNames()
    await createAccount('Later')
    const restored = await run('restore')
    assert.deepEqual([restored.code, restored.error], [0, ''])
    assert.match(restored.out, /^Restored start: \d+ records in \d+ ms\.\n$/)
    assert.deepEqual(await accountNames(), names)
    assert.ok(names.includes('Kept'))
  })

  test('says whose deactivation or block a restore undoes', async () => {
    const guests = "SELECT Id FROM User WHERE UserType = 'Guest'"
    const found = await send('GET', `/query?q=${encodeURIComponent(guests)}`)
    const [guest] = (found as { readonly records: readonly { readonly Id: string }[] }).records
    const app = await send('POST', '/sobjects/ConnectedApplication', { Name: 'Nightly' })
    await run('save')
    await send('PATCH', `/sobjects/User/${guest!.Id}`, { IsActive: false })
    await send('DELETE', `/sobjects/ConnectedApplication/${(app as { readonly id: string }).id}`)
    const lines = (await run('restore')).out.split('\n')
    assert.match(lines[1]!, /^Active again, deactivated since: guest@\S+$/)
    assert.equal(lines[2], 'Work again, blocked or deleted since: Nightly')
  })
}

describe('objectry snapshot', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = () => ({ OBJECTRY_DATA: folder.data })
  const run = runningOn(settings)

  before(() => begin({ data: folder.data }))
  after(() => folder.remove())

  test('list says how to begin where there is none', async () => {
    const out = 'There is none yet. Save one: objectry snapshot save\n'
    assert.deepEqual(await run('list'), { code: 0, out, error: '' })
  })

  holdsEverywhere(run)

  test('list tells when each was saved and how many records it has, the oldest first', async () => {
    const [, records] = /: (\d+) records/.exec((await run('restore')).out)!
    await createAccount('One more')
    await run('save', 'with-one-more')
    const { out } = await run('list')
    const [, , first, second] = out.trimEnd().split('\n')
    assert.match(first!, new RegExp(`^start +\\d{4}-\\d{2}-\\d{2}T\\S+Z +${records}$`))
    assert.match(second!, new RegExp(`^with-one-more +\\S+Z +${Number(records) + 1}$`))
  })

  test('restores the one that is named', async () => {
    await run('restore')
    assert.ok(!(await accountNames()).includes('One more'))
    await run('restore', 'with-one-more')
    assert.ok((await accountNames()).includes('One more'))
  })

  test('delete removes it', async () => {
    const deleted = await run('delete', 'with-one-more')
    assert.deepEqual(deleted, { code: 0, out: 'Deleted with-one-more.\n', error: '' })
    assert.doesNotMatch((await run('list')).out, /with-one-more/)
  })

  test('says which there are when there is none of a name, and what names may be', async () => {
    const restored = await run('restore', 'nope')
    const error = 'NOT_FOUND: There is no snapshot nope. There are start\n'
    assert.deepEqual(restored, { code: 1, out: '', error })
    const saved = await run('save', 'two words')
    assert.deepEqual([saved.code, saved.out], [1, ''])
    assert.match(saved.error, /^INVALID_INPUT: .*1 to 40 letters, digits, _ and -\n$/)
  })

  test('those of another org are its own', async () => {
    await runCommand(['org', 'create', 'Other'], settings())
    assert.match((await run('list', '--org', 'Other')).out, /^There is none yet/)
    assert.match((await run('save', 'start', '--org', 'other')).out, /^Saved start/)
    await createAccount('At home')
    assert.equal((await run('restore', 'start', '--org', 'Other')).code, 0)
    assert.ok((await accountNames()).includes('At home'))
  })

  test('needs no server', async () => {
    await server.stop()
    assert.match((await run('restore')).out, /^Restored start/)
  })
})

describe('objectry snapshot on PostgreSQL', { skip: !onPostgres }, () => {
  let database: OwnDatabase

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'snapshot')
    await begin({ databaseUrl: database.url })
  })
  after(async () => {
    await server.stop()
    await database.drop()
  })
  holdsEverywhere(runningOn(() => ({ DATABASE_URL: database.url })))

  test('says what it is doing when that takes long', async () => {
    const engine = await openEngine(readConfig({}, { databaseUrl: database.url }))
    const [org] = await loadOrgs(engine.db)
    const variables = { DATABASE_URL: database.url, OBJECTRY_LOCK_SECONDS: '60' }
    const child = spawnCommand(['snapshot', 'restore'], variables)
    const ended = Promise.all([once(child, 'close'), text(child.stdout!)])
    await whileTableIsLocked({ db: engine.db, org: org! }, 'account', async () => {
      const [said] = await once(child.stderr!.setEncoding('utf8'), 'data')
      assert.match(said, /^Restoring start: \d+ s so far\n$/)
    })
    const [[code], out] = await ended
    assert.equal(code, 0)
    assert.match(out, /^Restored start/)
    await engine.close()
  })
})
