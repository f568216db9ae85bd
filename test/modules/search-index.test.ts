import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SYSTEM_ACCESS } from '../../src/access/access.ts'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { CALENDAR_YEAR } from '../../src/base/fiscal-year.ts'
import { sql } from '../../src/base/sql.ts'
import type { Context } from '../../src/context.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { UNBOUNDED } from '../../src/quota/answer-bytes.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { searchVector } from '../../src/schema/change/search-index.sql.ts'
import { loadDefinitions, loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { visibleSchema } from '../../src/schema/snapshot/visible-schema.ts'
import { parseSearch } from '../../src/search/parse-search.ts'
import { runSearch } from '../../src/search/run-search.ts'
import { finishUpgrades, stepsLeft } from '../support/finish-upgrades.ts'
import { makeAllTables } from '../support/make-all-tables.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg
let schema: SchemaSnapshot

before(async () => {
  o = await openOrg()
  await makeAllTables(o)
  schema = await loadSnapshot(o.db, o.org)
})

async function indexes(): Promise<string[]> {
  const rows = await o.db.query<{ name: string }>(
    sql`select indexname as name from pg_indexes where schemaname = ${o.org.schemaName} and indexname like '%words%' order by 1`,
  )
  return rows.map(({ name }) => name)
}

describe('the index of words', () => {
  test('is what a search reads, not the table', async () => {
    const vector = searchVector(schema.object('Account')!, 'a')!
    const [row] = await o.db.transaction(async (tx) => {
      await tx.script([sql`set local enable_seqscan = off`])
      return tx.rows(
        sql`explain (format json) select 1 from ${sql.id(o.org.schemaName, 'account')} a where ${vector} @@ to_tsquery('simple', ${"'acme'"})`,
      )
    })
    assert.match(JSON.stringify(row), /account_words_/)
  })

  test('of a version that kept accents is replaced in the background; words are found the same before', async () => {
    await o.create('Account', { Name: 'Zürich' })
    const find = async (word: string) => {
      const { body } = await o.call(
        'GET',
        `/search?q=${encodeURIComponent(`FIND {${word}} RETURNING Account`)}`,
      )
      return body.searchRecords.length
    }
    const before = await indexes()
    const name = before.find((index) => index.startsWith('account_words_'))!
    const old = 'account_words_0123456789ab'
    await o.db.script([
      sql`drop index ${sql.id(o.org.schemaName, name)}`,
      sql`create index ${sql.id(old)} on ${sql.id(o.org.schemaName, 'account')} using gin (to_tsvector('simple'::regconfig, coalesce(name, '')))`,
    ])
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    assert.deepEqual([await find('zurich'), await find('ZÜRICH')], [1, 1])
    await finishUpgrades(o)
    assert.deepEqual(await indexes(), before)
    assert.deepEqual([await find('zurich'), await find('ZÜRICH')], [1, 1])
  })

  test('is made where it is missing after a server has started, and dropped where texts are others by now', async () => {
    const before = await indexes()
    const name = before.find((index) => index.startsWith('account_words_'))!
    await o.db.script([
      sql`drop index ${sql.id(o.org.schemaName, name)}`,
      sql`create index account_words_0123456789ab on ${sql.id(o.org.schemaName, 'account')} (id)`,
    ])
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    await finishUpgrades(o)
    assert.deepEqual(await indexes(), before)
  })
})

describe('an object whose definition asks for no index', () => {
  const find = async (text: string) => {
    const { status, body } = await o.call('GET', `/search?q=${encodeURIComponent(text)}`)
    assert.equal(status, 200)
    return body.searchRecords.map(({ Id }: { Id: string }) => Id)
  }
  const tables = async () => (await indexes()).map((name) => name.split('_words_')[0])

  test('has none in a new org, and its records are found', async () => {
    assert.deepEqual(await tables(), ['account', 'case', 'contact', 'lead', 'opportunity'])
    const id = await o.create('Task', { Subject: 'Unindexed errand' })
    assert.deepEqual(await find('FIND {errand}'), [id])
    await o.services.searchIndexes.settle()
    assert.ok(!(await tables()).includes('task'))
  })

  test('gets one when a search names it, and the same is found without it and with it', async () => {
    const id = await o.create('Event', {
      Subject: 'Fair',
      DurationInMinutes: 60,
      ActivityDateTime: '2026-01-01T10:00:00Z',
    })
    assert.deepEqual(await find('FIND {fair} RETURNING Event'), [id])
    await o.services.searchIndexes.settle()
    assert.deepEqual(await stepsLeft(o), ['search indexes'])
    const later = await o.create('Event', {
      Subject: 'Second fair',
      DurationInMinutes: 60,
      ActivityDateTime: '2026-01-01T10:00:00Z',
    })
    assert.deepEqual(await find('FIND {fair} RETURNING Event'), [id, later])
    await finishUpgrades(o)
    assert.ok((await tables()).includes('event'))
    assert.deepEqual(await find('FIND {fair} RETURNING Event'), [id, later])
    assert.deepEqual(await find('FIND {fair}'), [id, later])
  })

  test('gets one when parameters name it', async () => {
    await o.call('POST', '/parameterizedSearch', { body: { q: 'fair', sobjects: [{ name: 'Campaign' }] } })
    await o.services.searchIndexes.settle()
    await finishUpgrades(o)
    assert.ok((await tables()).includes('campaign'))
  })

  test('asks for it once', async () => {
    await find('FIND {fair} RETURNING Event')
    await o.services.searchIndexes.settle()
    assert.deepEqual(await stepsLeft(o), [])
  })

  test('gets it again with its new texts when a deployment changes them', async () => {
    const before = (await indexes()).find((name) => name.startsWith('event_words_'))
    const event = (await loadDefinitions(o.db, o.org)).find(({ name }) => name === 'Event')!
    await o.deploy([{ ...event, fields: [{ name: 'Extra__c', label: 'Extra', type: 'string', length: 10 }] }])
    const after = (await indexes()).find((name) => name.startsWith('event_words_'))
    assert.ok(after !== undefined && after !== before)
  })
})

test('An upgrade keeps what an org has said about the index of an object', async () => {
  const own = await openOrg()
  const [task] = (await loadDefinitions(own.db, own.org)).filter(({ name }) => name === 'Lead')
  await deploySchema(own.db, own.org, { objects: [{ ...task!, searchable: true }], mode: 'keep' })
  await makeOld(own)
  await upgradeOrg(own.db, own.org)
  await finishUpgrades(own)
  const rows = await own.db.query(
    sql`select from pg_indexes where schemaname = ${own.org.schemaName} and indexname like 'lead_words%'`,
  )
  assert.equal(rows.length, 0)
})

describe('a definition', () => {
  test('gives its object an index at once with searchable: indexed, and drops it when it says so no longer', async () => {
    const org = await openOrg()
    const deploy = async (searchable: unknown) => {
      const objects = { Parcel__c: { searchable, fields: {} } }
      const { status, text } = await org.call('PUT', '/setup/orgs/current/schema', {
        body: { objects, mode: 'keep' },
      })
      assert.equal(status, 200, text)
      const rows = await org.db.query(
        sql`select from pg_indexes where schemaname = ${org.org.schemaName} and indexname like 'parcel\\_\\_c\\_words%'`,
      )
      return rows.length
    }
    assert.equal(await deploy(true), 0)
    assert.equal(await deploy('indexed'), 1)
    const { body } = await org.call('GET', '/setup/orgs/current/schema')
    assert.equal(body.objects.Parcel__c.searchable, 'indexed')
    assert.equal(await deploy(true), 0)
    assert.equal((await org.call('GET', '/sobjects/Parcel__c/describe')).body.searchable, true)
  })
})

describe('an object with many texts', () => {
  const makeFields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`Text_${n}__c`, { type: 'string', length: 20 }]),
    )

  for (const [count, indexed] of [
    [400, 1],
    [510, 0],
  ] as const) {
    test(`has ${indexed === 1 ? 'an index' : 'none, and searches read its table'}: ${count} fields`, async () => {
      const org = await openOrg()
      const objects = { Wide__c: { searchable: 'indexed', fields: makeFields(count) } }
      const deployed = await org.call('PUT', '/setup/orgs/current/schema', {
        body: { objects, mode: 'keep' },
      })
      assert.equal(deployed.status, 200, deployed.text)
      const rows = await org.db.query(
        sql`select from pg_indexes where schemaname = ${org.org.schemaName} and indexname like 'wide\\_\\_c\\_words%'`,
      )
      assert.equal(rows.length, indexed)
      const id = await org.create('Wide__c', { [`Text_${count - 1}__c`]: 'needle' })
      const { body } = await org.call(
        'GET',
        `/search?q=${encodeURIComponent('FIND {needle} RETURNING Wide__c')}`,
      )
      assert.deepEqual(
        body.searchRecords.map(({ Id }: { Id: string }) => Id),
        [id],
      )
    })
  }
})

describe('a search of somebody who may not read a field', () => {
  const search = async (text: string, hidden: readonly string[]) => {
    const visible = visibleSchema(schema, {
      key: hidden.join(),
      seesObject: ({ name }) => !hidden.includes(name),
      seesField: (object, field) => !hidden.includes(`${object.name}.${field.name}`),
      may: () => true,
      writesField: () => true,
    })
    const ctx = {
      ...({ org: o.org, db: o.db, version: makeApiVersion(64), clock: () => new Date() } as Context),
      answer: UNBOUNDED,
      searchIndexes: { request: () => {} },
      schema,
      visible,
      access: SYSTEM_ACCESS,
      principal: {
        userId: o.userId,
        timeZone: 'GMT',
        locale: 'en_US',
        fiscalYear: CALENDAR_YEAR,
        orgDefaults: { businessHours: null, timeZone: null },
        username: '',
      },
    }
    const { searchRecords } = await runSearch(ctx, parseSearch(text, true))
    return searchRecords.map(({ Id }) => Id)
  }
  let id: string

  before(async () => {
    id = await o.create('Account', { Name: 'Plain', Description: 'secret words' })
  })

  test('does not find its words', async () => {
    assert.deepEqual(await search('FIND {secret}', []), [id])
    assert.deepEqual(await search('FIND {secret}', ['Account.Description']), [])
    assert.deepEqual(await search('FIND {sec?et}', ['Account.Description']), [])
    assert.deepEqual(await search('FIND {plain}', ['Account.Description']), [id])
    assert.deepEqual(await search('FIND {plain OR secret}', ['Account.Description']), [id])
  })

  test('is not told by a NOT that they are there', async () => {
    assert.deepEqual(await search('FIND {plain AND NOT secret}', []), [])
    assert.deepEqual(await search('FIND {plain AND NOT secret}', ['Account.Description']), [id])
  })

  test('finds nothing of objects that are hidden', async () => {
    assert.deepEqual(await search('FIND {plain}', ['Account']), [])
  })
})
