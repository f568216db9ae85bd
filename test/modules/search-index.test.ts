import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SYSTEM_ACCESS } from '../../src/access/access.ts'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { sql } from '../../src/base/sql.ts'
import type { Context } from '../../src/context.ts'
import { upgradeOrg } from '../../src/deployment/orgs/upgrade-org.ts'
import { searchVector } from '../../src/schema/change/search-index.sql.ts'
import { loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import type { SchemaSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { visibleSchema } from '../../src/schema/snapshot/visible-schema.ts'
import { parseSearch } from '../../src/search/parse-search.ts'
import { runSearch } from '../../src/search/run-search.ts'
import { finishUpgrades } from '../support/finish-upgrades.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg
let schema: SchemaSnapshot

before(async () => {
  o = await openOrg()
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
      schema,
      visible,
      access: SYSTEM_ACCESS,
      principal: {
        userId: o.userId,
        timeZone: 'GMT',
        locale: 'en_US',
        fiscalStartMonth: 1,
        username: '',
      },
    }
    const { searchRecords } = await runSearch(ctx, parseSearch(text))
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
