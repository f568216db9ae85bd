import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { provisionOrg } from '../../src/orgs/provision-org.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { resetOrg } from '../../src/orgs/snapshots/reset-org.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { requestMissingSteps } from '../../src/orgs/upgrades/step-store.ts'
import { UPGRADE_STEPS } from '../../src/orgs/upgrades/upgrade-steps.ts'
import { RecycleBins } from '../../src/records/recycle-bin/recycle-bins.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import { holdUsedObjects, loadUsedObjects } from '../../src/schema/snapshot/used-objects.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { finishUpgrades, stepsLeft } from '../support/finish-upgrades.ts'
import { makeOld } from '../support/make-old.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'

/* Tables that an org gets with the first statement that names them. */

let number = 0

/** An org that was made by itself, and not with the database. */
async function makeOrg({ db }: TestOrg): Promise<Org> {
  const name = `unused ${process.pid} ${number++}`
  return (await provisionOrg(db, name, { username: `${name.replaceAll(' ', '-')}@a.b` }, new Date())).org
}

async function tablesOf({ db }: TestOrg, { schemaName }: Org): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = ${schemaName}`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** The tables that an org has for itself. */
const ownOf = async (o: TestOrg, org: Org): Promise<string[]> =>
  [...(await tablesOf(o, org))].filter((name) => name.startsWith('_')).sort()

/** Its own tables that are there before anybody uses them. */
const ALWAYS_THERE = ['_access_version', '_object', '_schema_version', '_user_secret']

const count = ({ schemaName }: Org, table: string) =>
  sql`select count(*)::integer as count from ${sql.id(schemaName, table)}`

test('an org that was just made has the tables of its first records, and gets others with the first statement that names them', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  const before = await tablesOf(o, org)
  assert.ok(before.has('user') && before.has('organization') && before.size < 25, [...before].join())
  assert.deepEqual(await o.db.query(count(org, 'account')), [{ count: 0 }])
  assert.deepEqual((await tablesOf(o, org)).difference(before), new Set(['account']))
})

test('a new org has fewer than 60 relations', async () => {
  const o = await openOrg()
  const { schemaName } = await makeOrg(o)
  const [found] = await o.db.query<{ relations: number }>(
    sql`select count(*)::integer as relations from pg_class where relnamespace = ${schemaName}::text::regnamespace`,
  )
  assert.ok(found!.relations < 60, `${found!.relations}`)
})

const NOBODYS = 'a locator of nobody'

describe('a table that an org has for itself is made by the first call that needs it:', () => {
  const first: readonly (readonly [string, readonly string[], (o: TestOrg) => Promise<unknown>])[] = [
    ['a preference that is stored', ['_preference'], (o) => o.call('PUT', '/preferences/a', { body: 1 })],
    ['a list of preferences', ['_preference'], (o) => o.call('GET', '/preferences')],
    ['a snapshot', ['_snapshot'], (o) => o.call('PUT', '/setup/orgs/current/snapshots/start')],
    ['a list of snapshots', ['_snapshot'], (o) => o.call('GET', '/setup/orgs/current/snapshots')],
    ['log-ins that are asked for', ['_login'], (o) => o.call('GET', '/query?q=SELECT+Id+FROM+LoginHistory')],
    ['a list of recent records', ['_recently_used'], (o) => o.call('GET', '/recent')],
    [
      'a batch of an import',
      ['_import_batch'],
      (o) =>
        o.call('PUT', '/setup/orgs/current/imports/job/batches/1', {
          body: { operation: 'insert', object: 'Account', records: [{ Name: 'A' }] },
        }),
    ],
    [
      NOBODYS,
      ['_query_cursor', '_query_page', '_query_usage'],
      (o) => o.call('GET', '/query/0r8000000000001AAA-2000'),
    ],
    [
      'a query with more than one page',
      ['_query_cursor', '_query_page', '_query_usage'],
      async (o) => {
        const records = Array.from({ length: 201 }, (_, n) => ({
          attributes: { type: 'Account' },
          Name: `${n}`,
        }))
        for (const some of [records.slice(0, 200), records.slice(200)])
          assert.equal((await o.call('POST', '/composite/sobjects', { body: { records: some } })).status, 200)
        const query = '/query?q=SELECT+Id+FROM+Account+ORDER+BY+Name'
        const page = await o.call('GET', query, { headers: { 'sforce-query-options': 'batchSize=200' } })
        const next = await o.call('GET', page.body.nextRecordsUrl)
        assert.deepEqual([page.body.records.length, next.body.records.length], [200, 1])
        return next
      },
    ],
    [
      'a large file',
      ['_waiting_bytes'],
      async (o) => {
        const parentId = await o.create('Account', { Name: 'Acme' })
        const body = { Name: 'large', ParentId: parentId, Body: Buffer.alloc(3 << 20).toString('base64') }
        return o.call('POST', '/sobjects/Attachment', { body })
      },
    ],
  ]

  for (const [what, tables, use] of first)
    test(what, async () => {
      const o = await openOrg()
      await o.db.query(sql`select from ${sql.id(o.org.schemaName, 'account')} limit 0`)
      const before = await tablesOf(o, o.org)
      const { status } = (await use(o)) as Answer
      assert.ok(status < 300 || what === NOBODYS, `${status}`)
      const made = [...(await tablesOf(o, o.org)).difference(before)]
      // The use of a record is written down within a second.
      const isOwn = (name: string) =>
        /^_[a-z]/.test(name) && (name !== '_recently_used' || tables.includes(name))
      assert.deepEqual(made.filter(isOwn).sort(), tables)
    })
})

test('a sweep over all orgs makes no table, nor does an upgrade with its steps', async () => {
  const o = await openOrg()
  const made = { ...o, org: await makeOrg(o) }
  const before = await tablesOf(o, made.org)
  await makeOld(made)
  await upgradeOrg(o.db, made.org)
  await requestMissingSteps(o.db, made.org, {})
  assert.equal((await stepsLeft(made)).length, UPGRADE_STEPS.length)
  await finishUpgrades(made)
  await new RecycleBins({ ...o.services, observe: () => {}, historyDays: 1 }).look()
  assert.deepEqual(await tablesOf(o, made.org), before)
  assert.deepEqual(await ownOf(o, made.org), ALWAYS_THERE)
})

test('while an org is reset its own tables can be made', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  await o.db.transaction(async (tx) => {
    const { storedObjects } = await loadSnapshot(tx, org)
    await holdUsedObjects(tx, org, storedObjects)
    assert.deepEqual(await tx.query(count(org, '_recently_used')), [{ count: 0 }])
  })
})

test('a table that many need at once is made once, and all of them have it', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  const inTransaction = (table: string) =>
    o.db.transaction(async (tx) => {
      await tx.query(count(org, 'asset'))
      return tx.query(count(org, table))
    })
  const asked = ['lead', 'case', 'lead', 'campaign', 'case', 'lead'].map((table, n) =>
    n % 2 === 0 ? o.db.query(count(org, table)) : inTransaction(table),
  )
  for (const rows of await Promise.all(asked)) assert.deepEqual(rows, [{ count: 0 }])
})

test('what a transaction has made that is rolled back is made again', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  const insert = sql`insert into ${sql.id(org.schemaName, 'lead')} (id) values ('x')`
  for (const attempt of [1, 2]) {
    await assert.rejects(
      o.db.transaction(async (tx) => {
        await assert.rejects(
          tx.transaction(async (inner) => inner.query(insert)),
          /null value/,
        )
        assert.deepEqual(await tx.query(count(org, 'lead')), [{ count: 0 }])
        throw new Error(`back ${attempt}`)
      }),
      new RegExp(`back ${attempt}`),
    )
  }
  assert.deepEqual(await o.db.query(count(org, 'lead')), [{ count: 0 }])
})

test('a definition that changes before anybody has used its object has the table as it is now', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  const { definition } = (await loadSnapshot(o.db, org)).object('Lead')!
  const field = { name: 'Extra__c', label: 'Extra', type: 'string', length: 10, unique: true } as const
  await deploySchema(o.db, org, { objects: [{ ...definition, fields: [field] }], mode: 'keep' })
  assert.deepEqual(await o.db.query(sql`select extra__c from ${sql.id(org.schemaName, 'lead')}`), [])
  assert.ok(!(await tablesOf(o, org)).has('case'))
})

test('a copy has the tables of its source, and a reset makes none', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  await o.db.query(count(org, 'account'))
  const copy = await copyOrg(o.db, o.services, org, `copy of ${org.name}`, undefined, SECRETS)
  assert.deepEqual(await tablesOf(o, copy), await tablesOf(o, org))
  await resetOrg(o.db, copy)
  assert.deepEqual(await tablesOf(o, copy), await tablesOf(o, org))
  assert.deepEqual(await o.db.query(count(copy, 'case')), [{ count: 0 }])
  const { storedObjects } = await loadSnapshot(o.db, copy)
  const used = await loadUsedObjects(o.db, copy, storedObjects)
  assert.ok(used.some(({ name }) => name === 'Case') && !used.some(({ name }) => name === 'Lead'))
})

test('what is noted of its absent tables goes with an org', async () => {
  const o = await openOrg()
  const org = await makeOrg(o)
  const noted = () =>
    o.db.query(sql`select name from objectry.absent_table where schema_name = ${org.schemaName}`)
  assert.ok((await noted()).length > 30)
  await dropOrg(o.db, org)
  assert.deepEqual(await noted(), [])
})

test('a search makes no table of an object that it looks for, and finds the first record of an object', async () => {
  const o = await openOrg()
  const find = async (text: string) => {
    const { status, body } = await o.call('GET', `/search?q=${encodeURIComponent(text)}`)
    assert.equal(status, 200)
    return body.searchRecords.map(({ Id }: { Id: string }) => Id)
  }
  assert.deepEqual(await find('FIND {crate}'), [])
  assert.deepEqual(await find('FIND {crate} RETURNING Asset(Id), Campaign(Id)'), [])
  const made = await tablesOf(o, o.org)
  assert.ok(['account', 'asset', 'campaign', 'case', 'lead', 'task'].every((name) => !made.has(name)))
  const id = await o.create('Campaign', { Name: 'Crate' })
  assert.deepEqual(await find('FIND {crate}'), [id])
  assert.deepEqual(await find('FIND {crate} RETURNING Asset(Id), Campaign(Id)'), [id])
})
