import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJob, ingest, setState, untilOver, upload } from '../support/bulk.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'
import { until } from '../support/until.ts'

const INSERT = { object: 'Account', operation: 'insert' }

const countAccounts = async (org: TestOrg): Promise<number> =>
  (await org.call('GET', `/query?q=${encodeURIComponent('SELECT COUNT() FROM Account')}`)).body.totalSize

/** A job that is complete, one that is open with rows, one in progress and a query. */
async function fillWithJobs(org: TestOrg): Promise<void> {
  await ingest(org, INSERT, 'Name\nearlier\n')
  const open = await createJob(org, INSERT)
  await upload(org, open.id, 'Name\nopen\n')
  const query = { operation: 'query', query: 'SELECT Name FROM Account' }
  await untilOver(org, (await createJob(org, query, 'query')).id, 'query')
  const running = await createJob(org, INSERT)
  await upload(org, running.id, `Name\n${Array.from({ length: 20_000 }, (_, n) => `large ${n}`).join('\n')}`)
  await setState(org, running.id, 'UploadComplete')
  await until(async () => {
    const { state, numberRecordsProcessed } = (await org.call('GET', `/jobs/ingest/${running.id}`)).body
    assert.notEqual(state, 'JobComplete')
    return state === 'InProgress' && numberRecordsProcessed > 0
  })
}

/** No job is left, none goes on, and new ones, which may have the same ids, are processed as in a new org. */
async function assertIsWithoutJobs(org: TestOrg, accounts: number): Promise<void> {
  assert.equal(await countAccounts(org), accounts)
  assert.deepEqual((await org.call('GET', '/jobs/ingest')).body.records, [])
  assert.deepEqual((await org.call('GET', '/jobs/query')).body.records, [])
  for (const name of ['a', 'b', 'c', 'd']) {
    const job = await ingest(org, INSERT, `Name\n${name}\n`)
    assert.deepEqual([job.state, job.numberRecordsProcessed], ['JobComplete', 1])
  }
  assert.equal(await countAccounts(org), accounts + 4)
}

test('a reset removes bulk jobs, and one in progress writes nothing more', async () => {
  const org = await openOrg()
  await fillWithJobs(org)
  assert.equal((await org.call('POST', '/setup/orgs/current/reset')).status, 204)
  await assertIsWithoutJobs(org, 0)
})

test('a restored snapshot has the records of its time, and no bulk job goes on', async () => {
  const org = await openOrg()
  await org.create('Account', { Name: 'kept' })
  await saveSnapshot(org, 'before')
  await fillWithJobs(org)
  await restoreSnapshot(org, 'before')
  await assertIsWithoutJobs(org, 1)
})
