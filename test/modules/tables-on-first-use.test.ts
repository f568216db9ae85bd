import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { provisionOrg } from '../../src/orgs/provision-org.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { resetOrg } from '../../src/orgs/snapshots/reset-org.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import { loadUsedObjects } from '../../src/schema/snapshot/used-objects.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
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
