import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from '../../src/base/observation.ts'
import { sql } from '../../src/base/sql.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { stepSql } from '../../src/orgs/upgrades/step-store.sql.ts'
import type { RecordStep } from '../../src/orgs/upgrades/upgrade-step.ts'
import { UPGRADE_STEPS } from '../../src/orgs/upgrades/upgrade-steps.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { isSearchIndexName } from '../../src/schema/change/search-index.sql.ts'
import { loadDefinitions } from '../../src/schema/snapshot/load-snapshot.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { onPostgres } from '../support/engine.ts'
import { finishUpgrades, makeUpgradeWorker, stepsLeft } from '../support/finish-upgrades.ts'
import { makeAllTables } from '../support/make-all-tables.sql.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { indexWords, loadIndexes, loadSearchIndexes, writeManyAccounts } from '../support/search-indexes.ts'
import { SECRETS } from '../support/secrets.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'

const schemaOf = (o: TestOrg) => o.org.schemaName

/** What an upgrade does to tables and indexes, it does to those that there are. */
async function openWithTables(): Promise<TestOrg> {
  const o = await openOrg()
  await makeAllTables(o)
  return o
}

async function openWithIndex(): Promise<TestOrg> {
  const o = await openWithTables()
  await writeManyAccounts(o)
  await indexWords(o)
  return o
}

/** As an org from before there was an index of words. */
async function dropSearchIndexes(o: TestOrg): Promise<void> {
  const names = (await loadSearchIndexes(o)).map(({ name }) => name)
  await o.db.script(names.map((name) => sql`drop index ${sql.id(schemaOf(o), name)}`))
  await makeOld(o)
}

const fetchUpgrade = async (o: TestOrg) => (await o.call('GET', '/setup/orgs/current')).body.upgrade

const found = async (o: TestOrg, text: string) => {
  const { body } = await o.call('GET', `/search?q=${encodeURIComponent(`FIND {${text}} RETURNING Account`)}`)
  return body.searchRecords.length
}

/** Adds a letter to the description of every account, 100 of them in a batch. */
const addLetters = (o: TestOrg, more: Partial<RecordStep> = {}): RecordStep => ({
  kind: 'records',
  name: `letters of ${schemaOf(o)}`,
  version: '1',
  async run(tx, org, position) {
    const ids = await tx.query<{ id: string }>(
      sql`update ${sql.id(org.schemaName, 'account')} set description = coalesce(description, '') || 'x'
          where id in (select id from ${sql.id(org.schemaName, 'account')} where id > ${position ?? ''} order by id limit 100)
          returning id`,
    )
    const last = ids
      .map(({ id }) => id)
      .sort()
      .at(-1)
    return { isDone: ids.length < 100, position: last ?? position, progress: 0.5 }
  },
  ...more,
})

const ask = (o: TestOrg, { name, version }: RecordStep) => o.db.query(stepSql.ask(o.org, name, version!))

async function descriptions(o: TestOrg): Promise<unknown[]> {
  const rows = await o.db.query<{ text: string }>(
    sql`select distinct description as text from ${sql.id(schemaOf(o), 'account')} order by 1`,
  )
  return rows.map(({ text }) => text)
}

/** Steps that each upgrade carries out; the others have a version, and are carried out once. */
const EVERY_TIME = UPGRADE_STEPS.filter(({ version }) => version === undefined)

describe('an upgrade', () => {
  test('leaves search indexes to the background; a search finds the same without them', async () => {
    const o = await openWithIndex()
    await o.create('Account', { Name: 'Needle' })
    await dropSearchIndexes(o)
    await upgradeOrg(o.db, o.org)
    assert.deepEqual(await loadSearchIndexes(o), [])
    assert.equal(await found(o, 'needle'), 1)
    const upgrade = await fetchUpgrade(o)
    const { length } = UPGRADE_STEPS
    assert.deepEqual(
      [upgrade.state, upgrade.steps, upgrade.done],
      ['pending', length, length - EVERY_TIME.length],
    )
    await finishUpgrades(o)
    const [index, ...others] = await loadSearchIndexes(o)
    assert.match(index!.name, /^account_words_/)
    assert.deepEqual([index!.isValid, others], [true, []])
    const { state, done, step, error } = await fetchUpgrade(o)
    assert.deepEqual([state, done, step, error], ['done', length, null, null])
    assert.equal(await found(o, 'needle'), 1)
  })

  test('keeps the search indexes of the version before until there are new ones', async () => {
    const o = await openWithIndex()
    const before = await loadSearchIndexes(o)
    const old = 'account_words_0123456789ab'
    await o.db.script([sql`create index ${sql.id(old)} on ${sql.id(schemaOf(o), 'account')} (id)`])
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    assert.ok((await loadSearchIndexes(o)).some(({ name }) => name === old))
    await finishUpgrades(o)
    assert.deepEqual(await loadSearchIndexes(o), before)
  })

  test('leaves search indexes to the background after a deployment that changes texts too', async () => {
    const o = await openWithIndex()
    const [before] = await loadSearchIndexes(o)
    const objects = { Account: { fields: { Extra__c: { type: 'string', length: 10 } } } }
    const { status } = await o.call('PUT', '/setup/orgs/current/schema', { body: { objects, mode: 'keep' } })
    assert.equal(status, 200)
    assert.deepEqual([await loadSearchIndexes(o), await stepsLeft(o)], [[], ['search indexes']])
    await finishUpgrades(o)
    const names = (await loadSearchIndexes(o)).map(({ name }) => name)
    assert.equal(names.length, 1)
    assert.notEqual(names[0], before!.name)
  })

  test('brings new fields at once, and what is on them in the background', async () => {
    const o = await openWithTables()
    const fieldIndexes = async () =>
      (await loadIndexes(o.db, o.org)).filter(({ name }) => !isSearchIndexName(name))
    const before = await fieldIndexes()
    const objects = await loadDefinitions(o.db, o.org)
    const older = objects.map((object) =>
      object.name === 'Contact'
        ? { ...object, fields: object.fields.filter(({ name }) => name !== 'ReportsToId') }
        : object,
    )
    const first = await o.create('Contact', { LastName: 'First' })
    await deploySchema(o.db, o.org, { objects: older, mode: 'restore', allowDestructive: true })
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    o.services.runtimes.of(o.org).snapshots.expire()
    assert.ok(!(await loadIndexes(o.db, o.org)).some(({ name }) => name === 'contact_reportstoid_idx'))
    await o.create('Contact', { LastName: 'Second', ReportsToId: first })
    const nobody = first.replace(/.{6}$/, 'zzzAAA')
    const refused = await o.call('POST', '/sobjects/Contact', {
      body: { LastName: 'Third', ReportsToId: nobody },
    })
    assert.equal(refused.status, 400)
    await finishUpgrades(o)
    assert.deepEqual(await fieldIndexes(), before)
  })
})

describe('a step that changes records', () => {
  test('is tried again after a failure, goes on where it was, and changes each record once', async () => {
    const o = await openWithTables()
    await writeAccounts(o, makeAccounts(250))
    let fails = true
    const plain = addLetters(o)
    const step = addLetters(o, {
      async run(tx, org, position, secrets) {
        const reached = await plain.run(tx, org, position, secrets)
        if (fails && position !== null) throw new Error('the second batch fails')
        return reached
      },
    })
    await ask(o, step)
    const said: string[] = []
    const gauges: unknown[] = []
    const worker = await makeUpgradeWorker([step], (observation: Observation) => {
      if (observation.kind === 'notice') said.push(observation.message)
      if (observation.kind === 'upgrades') gauges.push(observation.failedSteps)
    })
    await worker.check()
    const failed = await fetchUpgrade(o)
    assert.deepEqual(
      [failed.state, failed.step, failed.error],
      ['failed', step.name, 'the second batch fails'],
    )
    assert.equal(gauges.at(-1), 1)
    assert.deepEqual(await descriptions(o), ['x', null])
    fails = false
    await finishUpgrades(o, worker)
    assert.deepEqual(await descriptions(o), ['x'])
    assert.match(said[0]!, /^Upgrade of Test: letters of org_\d+ begun$/)
    assert.match(said[1]!, /failed, next try in 1 s: the second batch fails$/)
    assert.match(said[2]!, /continued$/)
    assert.match(said[3]!, /done after \d+\.\d s$/)
    await ask(o, step)
    assert.deepEqual(await stepsLeft(o), [])
  })

  test('that is asked for again while it fails is pending, not failed', async () => {
    const o = await openWithTables()
    const elsewhere = AsyncLocalStorage.snapshot()
    let asking: Promise<unknown> = Promise.resolve()
    const step = addLetters(o, {
      version: '',
      async run() {
        // It has to wait for the end of this run.
        asking = elsewhere(() => o.db.query(stepSql.ask(o.org, step.name, '')))
        throw new Error('what is mended meanwhile')
      },
    })
    await o.db.query(stepSql.ask(o.org, step.name, ''))
    const worker = await makeUpgradeWorker([step])
    await worker.check()
    await asking
    const { state, error } = await fetchUpgrade(o)
    assert.deepEqual([state, error], ['pending', null])
  })

  test('is not carried out by two servers at once', { skip: !onPostgres }, async () => {
    const o = await openWithTables()
    await writeAccounts(o, makeAccounts(500))
    let running = 0
    let max = 0
    const plain = addLetters(o)
    const step = addLetters(o, {
      async run(...args) {
        max = Math.max(max, ++running)
        await sleep(20)
        const reached = await plain.run(...args)
        running--
        return reached
      },
    })
    await ask(o, step)
    const workers = await Promise.all([makeUpgradeWorker([step]), makeUpgradeWorker([step])])
    await Promise.all(workers.map((worker) => finishUpgrades(o, worker)))
    assert.equal(max, 1)
    assert.deepEqual(await descriptions(o), ['x'])
  })

  test('ends with the org that is deleted while it is carried out', async () => {
    const home = await openWithTables()
    const o = await openWithTables()
    await writeAccounts(o, makeAccounts(300))
    const plain = addLetters(o)
    let dropped: Promise<void> | undefined
    const step = addLetters(o, {
      async run(tx, org, position, secrets) {
        dropped ??= besideCalls(() => dropOrg(home.db, o.org))
        return plain.run(tx, org, position, secrets)
      },
    })
    await ask(o, step)
    const said: string[] = []
    const worker = await makeUpgradeWorker([step], (observation) => {
      if (observation.kind === 'notice') said.push(observation.message)
    })
    await worker.check()
    await dropped
    assert.deepEqual(
      said.map((text) => text.split(' ').at(-1)),
      ['begun'],
    )
    assert.deepEqual(await stepsLeft(o), [])
  })
})

describe('an org that gets an older state', () => {
  test('has the steps carried out again that a restored snapshot had not had', async () => {
    const o = await openWithIndex()
    await o.create('Account', { Name: 'Needle' })
    await dropSearchIndexes(o)
    await saveSnapshot(o, 'old')
    await upgradeOrg(o.db, o.org)
    await finishUpgrades(o)
    await saveSnapshot(o, 'new')
    await restoreSnapshot(o, 'new')
    assert.deepEqual(await stepsLeft(o), [])
    await restoreSnapshot(o, 'old')
    assert.equal((await stepsLeft(o)).length, EVERY_TIME.length)
    await finishUpgrades(o)
    assert.equal(await found(o, 'needle'), 1)
  })

  test('has, as a fork, the steps to do that its source has not had', async () => {
    const o = await openWithTables()
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    const copyLeft = async (name: string) => {
      const org = await copyOrg(o.db, o.services, o.org, name, undefined, SECRETS)
      return (await stepsLeft({ ...o, org })).length
    }
    assert.equal(await copyLeft('Early'), EVERY_TIME.length)
    await finishUpgrades(o)
    assert.equal(await copyLeft('Late'), 0)
  })
})

describe('a build of an index', { skip: !onPostgres }, () => {
  /** Holds a transaction open that a concurrent build has to wait for, until `work` has ended. */
  async function whileReading<T>({ db }: TestOrg, work: () => Promise<T>): Promise<T> {
    return db.transaction(async (tx) => {
      await tx.script([sql`set transaction isolation level repeatable read`])
      await tx.query(sql`select now()`)
      return besideCalls(work)
    })
  }

  const isBuilding = async (o: TestOrg) => (await loadSearchIndexes(o)).some(({ isValid }) => !isValid)

  test('gives way to a deployment, and is begun again', async () => {
    const o = await openWithIndex()
    await dropSearchIndexes(o)
    await upgradeOrg(o.db, o.org)
    const worker = await makeUpgradeWorker()
    let looking: Promise<number> | undefined
    await whileReading(o, async () => {
      looking = worker.check()
      while (!(await isBuilding(o))) await sleep(10)
      const [table] = (await loadSearchIndexes(o)).find(({ isValid }) => !isValid)!.name.split('_words_')
      const object = (await loadDefinitions(o.db, o.org)).find(({ name }) => name.toLowerCase() === table)!
      const field = { name: 'Extra__c', label: 'Extra', type: 'string', length: 10 } as const
      await o.deploy([{ ...object, fields: [field] }])
    })
    await looking
    await finishUpgrades(o, worker)
    assert.ok((await loadSearchIndexes(o)).every(({ isValid }) => isValid))
  })

  test('that was cut off is cleared away and begun again', async () => {
    const o = await openWithIndex()
    const before = await loadSearchIndexes(o)
    await dropSearchIndexes(o)
    await upgradeOrg(o.db, o.org)
    const cutOff = await makeUpgradeWorker()
    await whileReading(o, async () => {
      cutOff.begin()
      while (!(await isBuilding(o))) await sleep(10)
      await cutOff.close()
    })
    assert.ok(await isBuilding(o))
    await finishUpgrades(o)
    assert.deepEqual(await loadSearchIndexes(o), before)
  })
})
