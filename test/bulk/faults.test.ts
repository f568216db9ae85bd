import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { createJob, ingest, results, untilOver } from '../support/bulk.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const INSERT = { object: 'Account', operation: 'insert' }
const CHUNKS = '/jobs/ingest/:id/batches'

let org: TestOrg

async function plan(body: object): Promise<void> {
  const answer = await org.call('PUT', '/setup/faults/planned', { body })
  assert.ok(answer.status < 300, answer.text)
}

const countStruck = async (): Promise<number> =>
  (await org.call('GET', '/setup/faults')).body.find(({ name }: { name: string }) => name === 'planned')
    .struck

const makeRows = (count: number) =>
  `Name\n${Array.from({ length: count }, (_, n) => `row ${n}`).join('\n')}\n`

before(async () => {
  org = await openOrg({ settings: { allowFaults: 'true' } })
})
afterEach(() => org.call('DELETE', '/setup/faults'))

describe('a fault of a chunk', () => {
  test('that passes lets it be tried again', async () => {
    for (const effect of [{ lockedRow: true }, { status: 503 }, { status: 500 }]) {
      await plan({ match: { route: CHUNKS, step: 1 }, until: { count: 1 }, effect })
      const job = await ingest(org, INSERT, makeRows(3))
      assert.deepEqual(
        [job.state, job.numberRecordsProcessed, job.numberRecordsFailed],
        ['JobComplete', 3, 0],
      )
      assert.equal(await countStruck(), 1)
    }
  })

  test('that meets every try is the error of one row, and the job goes on', async () => {
    const error = { code: 'QUERY_TIMEOUT', message: 'too long' }
    await plan({ match: { route: CHUNKS, step: 2 }, effect: { error } })
    const job = await ingest(org, INSERT, makeRows(600))
    assert.deepEqual(
      [job.state, job.numberRecordsProcessed, job.numberRecordsFailed],
      ['JobComplete', 600, 1],
    )
    assert.match((await results(org, job.id)).failed, /"","QUERY_TIMEOUT:too long:--","row 500"\n$/)
  })
})

test('a fault of a query lets it fail, or be tried again', async () => {
  const body = { operation: 'query', query: 'SELECT Name FROM Account' }
  const match = { route: '/jobs/query', step: 1 }
  await plan({ match, effect: { error: { code: 'QUERY_TIMEOUT', message: 'too long' } } })
  const failed = await untilOver(org, (await createJob(org, body, 'query')).id, 'query')
  assert.deepEqual([failed.state, failed.errorMessage], ['Failed', 'InvalidBatch : too long'])
  await plan({ match, until: { count: 1 }, effect: { status: 503 } })
  const again = await untilOver(org, (await createJob(org, body, 'query')).id, 'query')
  assert.equal(again.state, 'JobComplete')
})

test('results can be gone', async () => {
  const job = await ingest(org, INSERT, makeRows(1))
  await plan({
    match: { route: '/jobs/ingest/:id/successfulResults' },
    effect: { error: { code: 'NOT_FOUND' } },
  })
  assertRefused(
    await org.call('GET', `/jobs/ingest/${job.id}/successfulResults`),
    404,
    'NOT_FOUND',
    /fault planned/,
  )
})
