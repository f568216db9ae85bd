import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findAdministrator } from '../../src/auth/users/users.ts'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { runCommandProcess } from '../support/command-process.ts'
import { onPostgres } from '../support/engine.ts'
import { makeAllTables } from '../support/make-all-tables.sql.ts'
import { makeOld } from '../support/make-old.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { loadSearchIndexes } from '../support/search-indexes.ts'
import {
  credentialsIn,
  fetchToken,
  makeDataFolder,
  SECRET_KEY,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'
import { until } from '../support/until.ts'

/* An upgrade as servers go through it: real processes on a database of their own. */

/** Where servers keep their data, as settings. */
interface Location {
  readonly variables: Record<string, string>
  remove(): Promise<void> | void
}

async function makeLocation(purpose: string): Promise<Location> {
  if (onPostgres) {
    const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, purpose)
    return { variables: { DATABASE_URL: url, ...SECRET_KEY }, remove: drop }
  }
  const { data, remove } = makeDataFolder()
  return { variables: { OBJECTRY_DATA: data, ...SECRET_KEY }, remove }
}

const makeConfig = ({ variables }: Location) =>
  readConfig(variables, { port: '0', sitePort: '0', logLevel: 'silent', allocation: 'unlimited' })

const openDatabase = (location: Location) => openEngine(makeConfig(location))

/** As the version left it that had no search: with many records. */
async function makeOldWithRecords(location: Location): Promise<void> {
  const engine = await openDatabase(location)
  try {
    const { db } = engine
    const [org] = await loadOrgs(db)
    await makeAllTables({ db, org: org! })
    const { id: userId } = (await findAdministrator(db, org!))!
    await writeAccounts({ db, org: org!, userId }, makeAccounts(5000))
    await makeOld({ db, org: org! })
  } finally {
    await engine.close()
  }
}

async function call(address: string, token: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(address + path, { headers, ...sent })
  assert.equal(response.status, 200, path)
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  return response.json() as Promise<any>
}

const SEARCH = `/services/data/v64.0/search?q=${encodeURIComponent('FIND {4711} RETURNING Account')}`

const found = async (address: string, token: string) =>
  (await call(address, token, SEARCH)).searchRecords.length

const upgradeAt = async (address: string, token: string) =>
  (await call(address, token, '/setup/orgs'))[0].upgrade

/** The value of a metric. */
async function metric(address: string, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)![1])
}

describe('a server that upgrades an org', () => {
  let location: Location
  let server: ServerProcess
  let client: { clientId: string; clientSecret: string }

  before(async () => {
    location = await makeLocation('upgrade')
    server = await startServer(location.variables)
    client = credentialsIn(server.greeting)!
    await server.end('SIGTERM')
  })
  after(async () => {
    await server.end('SIGKILL')
    await location.remove()
  })

  test('serves while steps are left, and when it is killed within one the next server ends it', async () => {
    await makeOldWithRecords(location)
    // On PostgreSQL a build waits for this transaction, so that the kill meets it in the middle.
    const held = onPostgres ? await openDatabase(location) : undefined
    const release = Promise.withResolvers<void>()
    const holding = held?.db.transaction(async (tx) => {
      await tx.script([sql`set transaction isolation level repeatable read`])
      await tx.query(sql`select now()`)
      await release.promise
    })
    server = await startServer(location.variables)
    const token = await fetchToken(server.address, client)
    assert.equal(await found(server.address, token), 1)
    await until(async () => {
      const { state, step, progress } = await upgradeAt(server.address, token)
      return state === 'running' && step === 'search indexes' && (onPostgres || progress > 0)
    })
    await until(async () => (await metric(server.address, 'objectry_upgrade_pending_orgs')) === 1)
    await server.end('SIGKILL')
    release.resolve()
    await holding
    await held?.close()
    server = await startServer(location.variables)
    assert.equal(await found(server.address, token), 1)
    await until(async () => (await upgradeAt(server.address, token)).state === 'done')
    await until(async () => (await metric(server.address, 'objectry_upgrade_pending_orgs')) === 0)
    assert.equal(await found(server.address, token), 1)
    await server.end('SIGTERM')
    const after = await openDatabase(location)
    const [org] = await loadOrgs(after.db)
    const indexes = await loadSearchIndexes({ db: after.db, org: org! })
    assert.equal(indexes.length, 1)
    assert.match(indexes[0]!.name, /^account_words_/)
    assert.ok(indexes[0]!.isValid)
    await after.close()
  })

  test('stops within its time while a step is carried out', async () => {
    await makeOldWithRecords(location)
    server = await startServer(location.variables)
    const token = await fetchToken(server.address, client)
    await until(async () => (await upgradeAt(server.address, token)).state === 'running')
    assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
  })
})

/** Less than the interval in which an idle server looks for steps. */
const REQUESTED_MS = 30_000

test('A search that names an object has the server build its index now', {
  timeout: REQUESTED_MS,
}, async () => {
  const location = await makeLocation('requested')
  const config = makeConfig(location)
  const engine = await openDatabase(location)
  const objectry: Objectry = await start(config, systemClock, engine)
  const token = await objectry.issueToken()
  const [org] = await loadOrgs(engine.db)
  const hasIndex = async () =>
    (await loadSearchIndexes({ db: engine.db, org: org! })).some(
      ({ name, isValid }) => isValid && name.startsWith('task_'),
    )
  await until(async () => (await metric(objectry.address, 'objectry_upgrade_pending_orgs')) === 0)
  assert.ok(!(await hasIndex()))
  const search = `/services/data/v64.0/search?q=${encodeURIComponent('FIND {errand} RETURNING Task')}`
  const attributes = { type: 'Task' }
  for (let n = 0; n < 6; n++) {
    const records = Array.from({ length: 200 }, () => ({ attributes, Subject: 'Errand' }))
    await call(objectry.address, token, '/services/data/v64.0/composite/sobjects', { records })
  }
  assert.equal((await call(objectry.address, token, search)).searchRecords.length, 1200)
  await until(hasIndex)
  await objectry.stop()
  await location.remove()
})

test('A step that fails is shown with its reason, and is tried again until it succeeds', async () => {
  const location = await makeLocation('failing')
  const config = makeConfig(location)
  await (await start(config)).stop()
  const engine = await openDatabase(location)
  const [org] = await loadOrgs(engine.db)
  await makeAllTables({ db: engine.db, org: org! })
  const inOrg = sql.id(org!.schemaName, 'account_name_idx')
  await engine.db.script([sql`drop index ${inOrg}`, sql`create table ${inOrg} ()`])
  await makeOld({ db: engine.db, org: org! })
  const objectry: Objectry = await start(config, systemClock, engine)
  const { address } = objectry
  const token = await objectry.issueToken()
  await until(async () => (await upgradeAt(address, token)).state === 'failed')
  await until(async () => (await metric(address, 'objectry_upgrade_failed_steps')) === 1)
  const { out } = await runCommandProcess(['org', 'list'], location.variables)
  assert.match(out, /^Objectry {2}00D\w{15} {2}failed: field indexes: relation ".*" already exists$/m)
  await engine.db.script([sql`drop table ${inOrg}`])
  await until(async () => (await upgradeAt(address, token)).state === 'done')
  await until(async () => (await metric(address, 'objectry_upgrade_failed_steps')) === 0)
  const { out: later } = await runCommandProcess(['org', 'list'], location.variables)
  assert.match(later, /^Objectry {2}00D\w{15} {2}up to date$/m)
  await objectry.stop()
  await location.remove()
})
