import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { createJob, ingest, results, setState, untilOver, upload } from '../support/bulk.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const NOT_FOUND = [404, 'NOT_FOUND', 'The requested resource does not exist'] as const

async function moveClock(org: TestOrg, hours: number): Promise<void> {
  const answer = await org.call('PUT', '/setup/orgs/current/clock', {
    body: { advanceSeconds: hours * 3600 },
  })
  assert.equal(answer.status, 200, answer.text)
}

test('a job that stays open is aborted after a day, and any job is gone after a week, by the clock of the org', async () => {
  const org = await openOrg({ settings: { allowFaults: 'true', sessionSeconds: '86400' } })
  const done = await ingest(org, { object: 'Account', operation: 'insert' }, 'Name\nx\n')
  const open = await createJob(org, { object: 'Account', operation: 'insert' })
  await moveClock(org, 23)
  assert.equal((await org.call('GET', `/jobs/ingest/${open.id}`)).body.state, 'Open')
  await moveClock(org, 2)
  const headers = { authorization: `Bearer ${org.services.sessions.issueUnstored(org.org, org.userId)}` }
  const call: TestOrg['call'] = (method, path, sent = {}) =>
    org.call(method, path, { ...sent, headers: { ...headers, ...sent.headers } })
  assert.equal((await call('GET', `/jobs/ingest/${open.id}`)).body.state, 'Aborted')
  assert.equal((await call('GET', `/jobs/ingest/${done.id}`)).body.state, 'JobComplete')
  await moveClock({ ...org, call }, 6 * 24)
  assertRefused(await call('GET', `/jobs/ingest/${done.id}`), ...NOT_FOUND)
  assertRefused(await call('GET', `/jobs/ingest/${done.id}/successfulResults`), ...NOT_FOUND)
  assert.deepEqual((await call('GET', '/jobs/ingest')).body.records, [])
})

test('many jobs at once are all processed, and an aborted one has each row written or unprocessed', async () => {
  const org = await openOrg()
  const rows = Array.from({ length: 3000 }, (_, n) => `large ${n}`)
  const large = await createJob(org, { object: 'Account', operation: 'insert' })
  await upload(org, large.id, `Name\n${rows.join('\n')}`)
  await setState(org, large.id, 'UploadComplete')
  const small = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { id } = await createJob(org, { object: 'Account', operation: 'insert' })
      await upload(org, id, `Name\nsmall ${n}`)
      await setState(org, id, 'UploadComplete')
      return id as string
    }),
  )
  await setState(org, large.id, 'Aborted')
  for (const id of small) assert.equal((await untilOver(org, id)).numberRecordsProcessed, 1)
  const aborted = await untilOver(org, large.id)
  const { successful, unprocessed } = await results(org, large.id)
  const count = (text: string) => text.trimEnd().split('\n').length - 1
  assert.equal(count(successful), aborted.numberRecordsProcessed)
  assert.equal(count(successful) + count(unprocessed), rows.length)
  const { body } = await org.call(
    'GET',
    `/query?q=${encodeURIComponent("SELECT COUNT() FROM Account WHERE Name LIKE 'large %'")}`,
  )
  assert.equal(body.totalSize, aborted.numberRecordsProcessed)
})

test('uploads beyond the storage of the org are refused and leave the job open', async () => {
  const org = await openOrg({ settings: { bulkStorageMegabytes: '1' } })
  const { id } = await createJob(org, { object: 'Account', operation: 'insert' })
  const refused = await upload(org, id, `Name\n${'x'.repeat(1024 ** 2)}`)
  assert.deepEqual([refused.status, refused.body[0].errorCode], [400, 'EXCEEDEDQUOTA'])
  assert.equal((await upload(org, id, 'Name\nx')).status, 201)
})

test('a job whose results are many times as long as its rows fails when the org stores too much', async () => {
  const org = await openOrg({ settings: { bulkStorageMegabytes: '1' } })
  const { body } = await org.call('GET', '/sobjects/Account/describe')
  const fields: { name: string; createable: boolean }[] = body.fields
  const columns = fields.filter(({ createable }) => createable).map(({ name }) => name)
  const rows = Math.ceil((16 * 1024 ** 2) / (columns.length * 3))
  const job = await ingest(
    org,
    { object: 'Account', operation: 'insert' },
    `${columns.join(',')}\n${'x\n'.repeat(rows)}`,
  )
  assert.equal(job.state, 'Failed')
  assert.match(job.errorMessage, /^ExceededQuota : The bulk jobs of the org store 1 MB at most\./)
  assert.equal(job.numberRecordsFailed, job.numberRecordsProcessed)
  const { unprocessed } = await results(org, job.id)
  assert.equal(unprocessed.trimEnd().split('\n').length - 1, rows - job.numberRecordsProcessed)
})

test('a row of 200,000 values, or of 200,000 quotes, fails alone', async () => {
  const org = await openOrg()
  const rows = `Name\n${','.repeat(200_000)}\n${'"'.repeat(200_000)}\n"${'""'.repeat(100)}"\nlast\n`
  const job = await ingest(org, { object: 'Account', operation: 'insert' }, rows)
  assert.deepEqual([job.state, job.numberRecordsProcessed, job.numberRecordsFailed], ['JobComplete', 4, 2])
  assert.match((await results(org, job.id)).failed, /The row has 200001 values, the header has 1 columns/)
})

test('a row of many megabytes, and half a million empty lines, hold nothing up', async () => {
  const org = await openOrg()
  const insert = { object: 'Account', operation: 'insert' }
  const long = await ingest(org, insert, `Name\n"${'x'.repeat(6 * 1024 ** 2)}`)
  assert.deepEqual(
    [long.state, long.errorMessage],
    ['Failed', 'InvalidBatch : row 1: a row is too long; probably a quote is never closed'],
  )
  const empty = await ingest(org, insert, `Name\n${'\n'.repeat(500_000)}last`)
  assert.deepEqual([empty.state, empty.numberRecordsProcessed], ['JobComplete', 1])
  const wide = await ingest(org, insert, `${Array.from({ length: 5001 }, (_, n) => `c${n}`).join(',')}\n`)
  assert.match(wide.errorMessage, /^InvalidBatch : The header has 5001 columns, more than 5000$/)
  const quoted = await ingest(org, insert, `Name\n"${'x'.repeat(4.5 * 1024 ** 2)}"\nb`)
  assert.equal(quoted.state, 'Failed')
})

test('the character NUL fails its row, whose results have it, or the job where it stands in the header', async () => {
  const org = await openOrg()
  const insert = { object: 'Account', operation: 'insert' }
  const row = await ingest(org, insert, 'Name,Phone\nx,many,2\na\0b,1\nok,2\n')
  assert.deepEqual([row.state, row.numberRecordsProcessed, row.numberRecordsFailed], ['JobComplete', 3, 2])
  const { failed, successful } = await results(org, row.id)
  assert.match(failed, /"x","many"\n/)
  assert.match(failed, /"a\0b","1"\n$/)
  assert.match(successful, /"ok","2"\n$/)
  const ids = await ingest(org, { object: 'Account', operation: 'update' }, 'Id,Name\n001\0,x\n')
  assert.deepEqual([ids.state, ids.numberRecordsFailed], ['JobComplete', 1])
  assert.match((await results(org, ids.id)).failed, /"001\0","x"\n$/)
  const header = await ingest(org, insert, 'Na\0me\nx\n')
  assert.equal(header.state, 'Failed')
  assert.equal(header.errorMessage, 'InvalidBatch : Field name not found : Na\uFFFDme. Did you mean Name?')
  assertRefused(
    await org.call('POST', '/jobs/ingest', { body: { ...insert, assignmentRuleId: 'a\0b' } }),
    400,
    'INVALIDJOB',
    'InvalidAssignmentRule : a\0b is not an id',
  )
})
