import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { upgradeOrg } from '../../src/deployment/provision-org.ts'
import { openOrg } from '../support/org.ts'

test('A table that was made before deletions were remembered gets the column when a server starts', async () => {
  const o = await openOrg()
  const table = sql.id(o.org.schemaName, 'account')
  await o.db.script([sql`alter table ${table} drop column "_deletion"`])
  await upgradeOrg(o.db, o.org)
  const id = await o.create('Account', { Name: 'Gone' })
  assert.equal((await o.call('DELETE', `/sobjects/Account/${id}`)).status, 204)
  const [row] = await o.db.query<{ deletion: string }>(
    sql`select "_deletion" as deletion from ${table} where id = ${id}`,
  )
  assert.match(row!.deletion, /^[0-9a-f-]{36}$/)
})

test('An org that was made before there were imports gets their journal when a server starts', async () => {
  const o = await openOrg()
  await o.db.script([sql`drop table ${sql.id(o.org.schemaName, '_import_batch')}`])
  for (const _ of ['once', 'and again']) await upgradeOrg(o.db, o.org)
  const body = { operation: 'insert', object: 'Account', records: [{ Name: 'Imported' }] }
  const answer = await o.call('PUT', '/setup/orgs/current/imports/upgrade/batches/1', { body })
  assert.equal(answer.status, 200)
})
