import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { createJob, ingest, results, setState, untilOver, upload } from '../support/bulk.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { triggersFrom } from '../support/trigger-files.ts'
import { until } from '../support/until.ts'

const GONE = 'The requested resource does not exist'

let org: TestOrg
let person: Person
/** The org, called by a user of few rights. */
let few: TestOrg

before(async () => {
  const triggers = await triggersFrom({
    'account.ts': `export default {
      object: 'Account',
      beforeInsert(changes) {
        for (const change of changes) {
          if (change.record.Name === 'refused') change.addError('Name', 'not this one')
          if (change.record.Name === 'broken') throw new Error('on purpose')
          change.record.Description = String(changes.length)
        }
      },
    }`,
  })
  org = await openOrg({ triggers })
  person = await addPerson(org, 'few')
  await allow(org, person.setId, 'Contact', 'Read', 'Create')
  await allowField(org, person.setId, 'Contact.Phone', 'Edit')
  few = { ...org, call: person.call }
})

describe('a job', () => {
  test('of another user is not there, unless one manages the integrations of all', async () => {
    const { id } = await createJob(org, { object: 'Account', operation: 'insert' })
    assertRefused(await person.call('GET', `/jobs/ingest/${id}`), 404, 'NOT_FOUND', GONE)
    assertRefused(
      await person.call('PATCH', `/jobs/ingest/${id}`, { body: { state: 'Aborted' } }),
      404,
      'NOT_FOUND',
      GONE,
    )
    assert.deepEqual((await person.call('GET', '/jobs/ingest')).body.records, [])
    const own = await createJob(few, { object: 'Contact', operation: 'insert' })
    assert.equal((await org.call('GET', `/jobs/ingest/${own.id}`)).status, 200)
    assert.equal(
      (await org.call('PATCH', `/jobs/ingest/${own.id}`, { body: { state: 'Aborted' } })).status,
      200,
    )
  })

  test('of a query has its result only for those who may send the query still', async () => {
    await org.create('Contact', { LastName: 'hidden later', Phone: '0815' })
    const query = { operation: 'query', query: 'SELECT LastName, Phone FROM Contact' }
    const other = await addPerson(org, 'reader')
    const right = await allow(org, other.setId, 'Contact', 'Read', 'ViewAllRecords')
    const field = await allowField(org, other.setId, 'Contact.Phone')
    const { id } = (await other.call('POST', '/jobs/query', { body: query })).body
    const path = `/jobs/query/${id}`
    await until(async () => (await other.call('GET', path)).body.state === 'JobComplete')
    assert.match((await other.call('GET', `${path}/results`)).text, /0815/)
    for (const [object, lost] of [
      ['FieldPermissions', field],
      ['ObjectPermissions', right],
    ] as const) {
      assert.equal((await org.call('DELETE', `/sobjects/${object}/${lost}`)).status, 204)
      for (const below of ['results', 'resultPages']) {
        const answer = await other.call('GET', `${path}/${below}`)
        assert.equal(answer.status, 400, answer.text)
      }
    }
    assert.match((await org.call('GET', `${path}/results`)).text, /0815/)
  })

  test('writes with the rights of its user: objects and fields that are hidden are not there', async () => {
    const account = await person.call('POST', '/jobs/ingest', {
      body: { object: 'Account', operation: 'insert' },
    })
    assert.equal(account.body[0].errorCode, 'INVALIDENTITY')
    const hidden = await ingest(few, { object: 'Contact', operation: 'insert' }, 'LastName,Fax\nx,1')
    assert.match(hidden.errorMessage, /^InvalidBatch : Field name not found : Fax/)
    const written = await ingest(few, { object: 'Contact', operation: 'insert' }, 'LastName,Phone\nx,1')
    assert.equal(written.numberRecordsFailed, 0, JSON.stringify(written))
    const update = await ingest(
      few,
      { object: 'Contact', operation: 'update' },
      `Id,Phone\n003000000000000AAA,1`,
    )
    assert.equal(update.numberRecordsFailed, 1)
  })

  test('of a user who is not active any more fails, and says so', async () => {
    const left = await addPerson(org, 'left')
    await allow(org, left.setId, 'Contact', 'Read', 'Create')
    const { id } = await createJob(left.org, { object: 'Contact', operation: 'insert' })
    await upload(left.org, id, 'LastName\nx')
    await org.call('PATCH', `/sobjects/User/${left.id}`, { body: { IsActive: false } })
    assert.equal((await setState(org, id, 'UploadComplete')).status, 200)
    const { state, errorMessage } = await untilOver(org, id)
    assert.deepEqual(
      [state, errorMessage],
      ['Failed', 'InvalidUser : The user who created the job is not active any more'],
    )
  })

  test('deletes without the recycle bin with a permission of its own only', async () => {
    await allow(org, (await addPerson(org, 'deletes')).setId, 'Contact', 'Read', 'Delete')
    const body = { object: 'Contact', operation: 'hardDelete' }
    const answer = await person.call('POST', '/jobs/ingest', { body })
    assert.deepEqual(answer.body[0], {
      errorCode: 'FEATURENOTENABLED',
      message:
        'hardDelete operation requires special user profile permission, please contact your system administrator',
      fields: [],
    })
  })
})

test('triggers see lists of 200; what they refuse is the error of a row, a failure that of its list', async () => {
  const names = Array.from({ length: 450 }, (_, n) =>
    n === 10 ? 'refused' : n === 300 ? 'broken' : `t ${n}`,
  )
  const job = await ingest(org, { object: 'Account', operation: 'insert' }, `Name\n${names.join('\n')}\n`)
  assert.deepEqual([job.numberRecordsProcessed, job.numberRecordsFailed], [450, 201], job.errorMessage)
  const { failed } = await results(org, job.id)
  assert.match(failed, /"FIELD_CUSTOM_VALIDATION_EXCEPTION:not this one:Name --","refused"\n/)
  const { body } = await org.call(
    'GET',
    `/query?q=${encodeURIComponent("SELECT Description FROM Account WHERE Name = 't 5'")}`,
  )
  assert.match(body.records[0].Description, /^(?:200|199)$/)
})
