import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SYSTEM_ACCESS } from '../../src/access/access.ts'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { CALENDAR_YEAR } from '../../src/base/fiscal-year.ts'
import { sql } from '../../src/base/sql.ts'
import type { Context } from '../../src/context.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { SEARCH_INDEXES } from '../../src/orgs/upgrades/build-search-indexes.ts'
import { UNBOUNDED } from '../../src/quota/answer-bytes.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { loadSearchSpans } from '../../src/schema/change/search-indexes.ts'
import { searchVector } from '../../src/schema/change/search-words.sql.ts'
import { loadDefinitions, loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { visibleSchema } from '../../src/schema/snapshot/visible-schema.ts'
import { parseSearch } from '../../src/search/parse-search.ts'
import { parseWords } from '../../src/search/parse-words.ts'
import { runSearch } from '../../src/search/run-search.ts'
import type { Source } from '../../src/soql/plan/plan.ts'
import { compileSearch } from '../../src/soql/sql/search.sql.ts'
import { accountId, makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { sharedEngine } from '../support/engine.ts'
import { finishUpgrades, stepsLeft } from '../support/finish-upgrades.ts'
import { makeAllTables } from '../support/make-all-tables.sql.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { indexWords, loadSearchIndexes, writeManyAccounts } from '../support/search-indexes.ts'

let o: TestOrg
let schema: SchemaSnapshot

before(async () => {
  o = await openOrg()
  await makeAllTables(o)
  schema = await loadSnapshot(o.db, o.org)
})

/** Creates records alike, 200 in each call. */
async function createMany(own: TestOrg, type: string, fields: object, calls = 6): Promise<void> {
  for (let n = 0; n < calls; n++) {
    const records = Array.from({ length: 200 }, () => ({ attributes: { type }, ...fields }))
    const { body } = await own.call('POST', '/composite/sobjects', { body: { records } })
    assert.ok(body.every(({ success }: { success: boolean }) => success))
  }
}

/** So many accounts, written so many hours from now, that searches need an index of them. */
async function writeHour(own: TestOrg, hour: number): Promise<void> {
  const rows = makeAccounts(1100).map((row, n) => ({ ...row, id: accountId(hour * 1100 + n) }))
  await writeAccounts(own, rows)
  await own.db.query(
    sql`update ${sql.id(own.org.schemaName, 'account')} set systemmodstamp = now() + ${hour}::integer * interval '1 hour'
        where id = any(${rows.map(({ id }) => id)}::text[])`,
  )
}

/** PostgreSQL's plan of a search for accounts, in an org with few of them. */
async function explainSearch({ db, org }: TestOrg): Promise<string> {
  const object = (await loadSnapshot(db, org)).object('Account')!
  const spansOf = await loadSearchSpans(db, org, [object])
  const condition = compileSearch({
    kind: 'search',
    source: { object, alias: 'a' } as Source,
    search: parseWords('0815'),
    indexed: spansOf(object),
  })
  const rows = await db.transaction(async (tx) => {
    await tx.script([sql`set local enable_seqscan = off`])
    return tx.rows(
      sql`explain (format json) select 1 from ${sql.id(org.schemaName, 'account')} a where ${condition}`,
    )
  })
  return JSON.stringify(rows)
}

async function indexes(): Promise<string[]> {
  return (await loadSearchIndexes(o)).map(({ name }) => name)
}

describe('the index of words', () => {
  const find = async (text: string) => {
    const { status, body } = await o.call('GET', `/search?q=${encodeURIComponent(text)}`)
    assert.equal(status, 200)
    return body.searchRecords.map(({ Id }: { Id: string }) => Id)
  }
  const tables = async () => (await indexes()).map((name) => name.split('_words_')[0])

  test('is not there while there are few records, and they are found', async () => {
    const id = await o.create('Task', { Subject: 'Unindexed errand' })
    assert.deepEqual(await find('FIND {errand}'), [id])
    assert.deepEqual(await find('FIND {errand} RETURNING Task'), [id])
    await indexWords(o)
    assert.deepEqual(await tables(), [])
  })

  test('is built in the background when there are many, and read together with the records written since', async () => {
    await writeManyAccounts(o)
    await indexWords(o)
    assert.deepEqual(await tables(), ['account'])
    await o.db.script([
      sql`insert into ${sql.id(o.org.schemaName, 'account')}
          select (jsonb_populate_record(a, jsonb_build_object('id', replace(id, '001', '00X'), 'name', 'later',
                  'systemmodstamp', systemmodstamp + interval '1 hour'))).*
          from ${sql.id(o.org.schemaName, 'account')} a where name like 'account 0%' limit 300`,
      sql`analyze ${sql.id(o.org.schemaName, 'account')}`,
    ])
    const plan = await explainSearch(o)
    assert.match(plan, /BitmapOr/)
    assert.match(plan, /account_words_/)
    assert.match(plan, /account_systemmodstamp_idx/)
  })

  test('is read for its records also when the statistics know of none of them', async () => {
    const own = await openOrg()
    const table = sql.id(own.org.schemaName, 'account')
    await makeAllTables(own)
    await own.db.query(sql`alter table ${table} set (autovacuum_enabled = false)`)
    await writeHour(own, 0)
    await own.db.script([sql`analyze ${table}`])
    await indexWords(own)
    await writeHour(own, 1)
    await indexWords(own)
    assert.equal((await loadSearchIndexes(own)).length, 2)
    assert.equal((await explainSearch(own)).match(/account_systemmodstamp_idx/g)?.length, 1)
  })

  test('gets no entry of a record that is written later', async () => {
    const [name] = await indexes()
    const size = () =>
      o.db.query(
        sql`select pg_relation_size(${`${o.org.schemaName}.${name}`}::text::regclass)::integer as size`,
      )
    const before = await size()
    await o.db.query(
      sql`update ${sql.id(o.org.schemaName, 'account')} set description = repeat(md5(id) || ' ', 100), systemmodstamp = now() + interval '1 day'`,
    )
    assert.deepEqual(await size(), before)
    await o.db.query(sql`delete from ${sql.id(o.org.schemaName, 'account')}`)
  })

  test('of a version that kept accents is replaced in the background; words are found the same before', async () => {
    await o.create('Account', { Name: 'Zürich' })
    const found = async (word: string) => (await find(`FIND {${word}} RETURNING Account`)).length
    const before = await indexes()
    await o.db.script([
      sql`create index account_words_0123456789ab on ${sql.id(o.org.schemaName, 'account')} using gin (to_tsvector('simple'::regconfig, coalesce(name, '')))`,
    ])
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    assert.deepEqual([await found('zurich'), await found('ZÜRICH')], [1, 1])
    await finishUpgrades(o)
    assert.ok(!(await indexes()).includes('account_words_0123456789ab'))
    assert.deepEqual([await found('zurich'), await found('ZÜRICH')], [1, 1])
    assert.equal(before.includes('account_words_0123456789ab'), false)
  })

  test('of all records, of a version before, is read until there are others, and dropped then', async () => {
    const own = await openOrg()
    await writeManyAccounts(own)
    await indexWords(own)
    const table = sql.id(own.org.schemaName, 'account')
    const { name } = (await loadSearchIndexes(own))[0]!
    const whole = name.replace(/(_[0-9a-z]+){2}$/, '')
    const account = (await loadSnapshot(own.db, own.org)).object('Account')!
    await own.db.query(
      sql`create index ${sql.id(whole)} on ${table} using gin (${searchVector(account, 'account')!})`,
    )
    await own.db.query(sql`drop index ${sql.id(own.org.schemaName, name)}`)
    const spansOf = await loadSearchSpans(own.db, own.org, [account])
    assert.deepEqual(
      spansOf(account).map(({ from, until }) => [from, until]),
      [[0, Number.POSITIVE_INFINITY]],
    )
    const { body } = await own.call('GET', `/search?q=${encodeURIComponent('FIND {0815} RETURNING Account')}`)
    assert.equal(body.searchRecords.length, 1)
    await indexWords(own)
    assert.deepEqual(
      (await loadSearchIndexes(own)).map((index) => index.name),
      [name],
    )
  })

  test('of an object whose definition asks for none is built when a search names it', async () => {
    const own = await openOrg()
    const find = async () => {
      const text = encodeURIComponent('FIND {fair} RETURNING Campaign')
      return (await own.call('GET', `/search?q=${text}`)).body.searchRecords
    }
    await createMany(own, 'Campaign', { Name: 'Fair' })
    await indexWords(own)
    assert.deepEqual(await loadSearchIndexes(own), [])
    const before = await find()
    assert.equal(before.length, 1200)
    await own.services.searchIndexes.settle()
    assert.deepEqual(await stepsLeft(own), ['search indexes'])
    await finishUpgrades(own)
    const [first, ...others] = await loadSearchIndexes(own)
    assert.match(first!.name, /^campaign_words_/)
    assert.deepEqual(others, [])
    assert.deepEqual(await find(), before)
    const objects = { Campaign: { fields: { Extra__c: { type: 'string', length: 10 } } } }
    const { status } = await own.call('PUT', '/setup/orgs/current/schema', {
      body: { objects, mode: 'keep' },
    })
    assert.equal(status, 200)
    assert.deepEqual(await loadSearchIndexes(own), [])
    await finishUpgrades(own)
    const [later] = await loadSearchIndexes(own)
    assert.match(later!.name, /^campaign_words_/)
    assert.notEqual(later!.name, first!.name)
  })

  test('has the newest records of an object that many are written of, as many as are worth a build', async () => {
    const own = await openOrg()
    const write = (calls: number) => createMany(own, 'Lead', { LastName: 'Many', Company: 'Many' }, calls)
    const requested = async () => {
      await own.services.searchIndexes.settle()
      return stepsLeft(own)
    }
    const pretend = (records: number) =>
      own.db.query(
        sql`update pg_class set reltuples = ${records} where oid = ${`${own.org.schemaName}.lead`}::text::regclass`,
      )
    const count = async () => (await loadSearchIndexes(own)).length
    await makeAllTables(own)
    // Nobody else says how many records there are.
    await own.db.query(
      sql`alter table ${sql.id(own.org.schemaName, 'lead')} set (autovacuum_enabled = false)`,
    )
    await write(49)
    assert.deepEqual([await requested(), await count()], [[], 0])
    await write(1)
    assert.deepEqual(await requested(), ['search indexes'])
    await finishUpgrades(own)
    assert.match((await loadSearchIndexes(own))[0]!.name, /^lead_words_/)
    assert.equal(await count(), 1)

    await own.db.query(
      sql`update ${sql.id(own.org.schemaName, 'lead')} set systemmodstamp = systemmodstamp + interval '1 hour'`,
    )
    await pretend(60_000)
    await write(50)
    assert.deepEqual(await requested(), [])
    await pretend(2_000_000)
    await indexWords(own)
    assert.equal(await count(), 1)
  })

  test('is not built a second time in a row for what was written during its build', async (t) => {
    const own = await openOrg()
    const maintenance = await (await sharedEngine()).openMaintenance()
    t.after(() => maintenance.close())
    await writeHour(own, 1)
    const reached = await SEARCH_INDEXES.run(maintenance, own.org, null)
    await writeHour(own, 2)
    assert.ok(!reached.isDone)
    assert.deepEqual(await SEARCH_INDEXES.run(maintenance, own.org, reached.position ?? null), {
      isDone: true,
      progress: 1,
    })
    assert.equal((await loadSearchIndexes(own)).length, 1)
    await SEARCH_INDEXES.run(maintenance, own.org, null)
    assert.equal((await loadSearchIndexes(own)).length, 2)
  })

  test('is built again with the later ones once these have twice as many records, whatever the statistics say', async () => {
    const own = await openOrg()
    const counts: number[] = []
    for (let hour = 1; hour <= 6; hour++) {
      await writeHour(own, hour)
      await own.db.script([sql`vacuum ${sql.id(own.org.schemaName, 'account')}`])
      await indexWords(own)
      counts.push((await loadSearchIndexes(own)).length)
    }
    assert.deepEqual(counts, [1, 2, 1, 2, 3, 2])
  })

  test('is asked for by an org of its own, also where another one with the same objects has', async () => {
    const own = await openOrg()
    await own.call('POST', '/parameterizedSearch', { body: { q: 'fair', sobjects: [{ name: 'Campaign' }] } })
    await own.services.searchIndexes.settle()
    assert.deepEqual(await stepsLeft(own), ['search indexes'])
  })
})

test('An upgrade keeps what an org has said about the index of an object', async () => {
  const own = await openOrg()
  await writeManyAccounts(own)
  const account = (await loadDefinitions(own.db, own.org)).find(({ name }) => name === 'Account')!
  await deploySchema(own.db, own.org, { objects: [{ ...account, searchable: true }], mode: 'keep' })
  await makeOld(own)
  await upgradeOrg(own.db, own.org)
  await finishUpgrades(own)
  assert.deepEqual(await loadSearchIndexes(own), [])
})

test('A definition with searchable: indexed has the records there are indexed, and drops the index when it says so no longer', async () => {
  const own = await openOrg()
  const deploy = async (searchable: unknown) => {
    const objects = { Parcel__c: { searchable, fields: {} } }
    const { status, text } = await own.call('PUT', '/setup/orgs/current/schema', {
      body: { objects, mode: 'keep' },
    })
    assert.equal(status, 200, text)
    await finishUpgrades(own)
    return (await loadSearchIndexes(own)).length
  }
  assert.equal(await deploy(true), 0)
  await createMany(own, 'Parcel__c', { Name: 'Parcel' })
  assert.equal(await deploy('indexed'), 1)
  const { body } = await own.call('GET', '/setup/orgs/current/schema')
  assert.equal(body.objects.Parcel__c.searchable, 'indexed')
  assert.equal(await deploy(true), 0)
  assert.equal((await own.call('GET', '/sobjects/Parcel__c/describe')).body.searchable, true)
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
      await createMany(org, 'Wide__c', { Text_0__c: 'hay' })
      await indexWords(org)
      assert.equal((await loadSearchIndexes(org)).length, indexed)
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
      searchIndexes: { searched: () => {}, wrote: () => {} },
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
