import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fetchRecords } from '../support/ask.ts'
import { createJob } from '../support/bulk.ts'
import { jobXml, openClassic, runBatch, sendClassic, textOf, XML } from '../support/classic-bulk.ts'
import { upgradeJobs } from '../support/jobs-without-batches.sql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'
import { ADMIN_USERNAME } from '../support/template.ts'

const CSV = 'text/csv'
const JSON_TYPE = 'application/json'
const URI = 'http://www.force.com/2009/06/asyncapi/dataload'
const ROOT = `xmlns="${URI}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`

let org: TestOrg

before(async () => {
  org = await openOrg({ settings: { allowFaults: 'true' } })
})

/** The code of a refusal. */
async function refusal(
  path: string,
  sent: Parameters<typeof sendClassic>[3] = {},
  method: 'GET' | 'POST' = 'POST',
): Promise<[status: number, code: string | undefined]> {
  const { statusCode, body } = await sendClassic(org, method, path, sent)
  return [statusCode, textOf(body, 'exceptionCode')]
}

describe('a job in XML', () => {
  test('is described by all members of the interface, in their order', async () => {
    const text = jobXml({
      operation: 'insert',
      object: 'account',
      contentType: 'CSV',
      concurrencyMode: 'Serial',
    })
    const { statusCode, headers, body } = await sendClassic(org, 'POST', '/job', { type: XML, text })
    assert.equal(statusCode, 201)
    assert.equal(headers['content-type'], 'application/xml; charset=UTF-8')
    assert.match(
      body,
      new RegExp(
        `^<\\?xml version="1.0" encoding="UTF-8"\\?><jobInfo ${ROOT}><id>750\\w{15}</id><operation>insert</operation><object>Account</object>` +
          '<createdById>005\\w{15}</createdById><createdDate>[-\\d]{10}T[:\\d]{8}.000Z</createdDate><systemModstamp>[-\\d]{10}T[:\\d]{8}.000Z</systemModstamp>' +
          '<state>Open</state><concurrencyMode>Serial</concurrencyMode><contentType>CSV</contentType><numberBatchesQueued>0</numberBatchesQueued>' +
          '<numberBatchesInProgress>0</numberBatchesInProgress><numberBatchesCompleted>0</numberBatchesCompleted><numberBatchesFailed>0</numberBatchesFailed>' +
          '<numberBatchesTotal>0</numberBatchesTotal><numberRecordsProcessed>0</numberRecordsProcessed><numberRetries>0</numberRetries><apiVersion>64.0</apiVersion>' +
          '<numberRecordsFailed>0</numberRecordsFailed><totalProcessingTime>0</totalProcessingTime><apiActiveProcessingTime>0</apiActiveProcessingTime>' +
          '<apexProcessingTime>0</apexProcessingTime></jobInfo>$',
      ),
    )
  })

  test('is closed once, and is listed as Classic among the jobs of version 2', async () => {
    const job = await openClassic(org, { operation: 'insert', object: 'Account', contentType: 'CSV' })
    const state = (name: string) =>
      sendClassic(org, 'POST', `/job/${job}`, { type: XML, text: jobXml({ state: name }) })
    assert.equal(textOf((await state('Closed')).body, 'state'), 'Closed')
    assert.deepEqual(await refusal(`/job/${job}`, { type: XML, text: jobXml({ state: 'Closed' }) }), [
      400,
      'InvalidJobState',
    ])
    assert.deepEqual(await refusal(`/job/${job}/batch`, { type: CSV, text: 'Name\nx' }), [
      400,
      'InvalidJobState',
    ])
    for (const path of ['/jobs/ingest', '/jobs/query', '/jobs/ingest?jobType=Classic']) {
      const { records } = (await org.call('GET', path)).body
      const found = records.find(({ id }: { id: string }) => id === job)
      assert.deepEqual([found?.jobType, found?.state], ['Classic', 'UploadComplete'], path)
    }
    assert.equal((await org.call('GET', `/jobs/ingest/${job}`)).status, 404)
  })
})

describe('a batch of CSV', () => {
  test('has its outcomes while the job is open, in the order of its rows, and is no job of version 2', async () => {
    const job = await openClassic(org, { operation: 'insert', object: 'Account', contentType: 'CSV' })
    const { id, info, path } = await runBatch(
      org,
      job,
      `${CSV}; charset=UTF-8`,
      'Name,Phone\r\n,1\r\n"csv",2\r\n',
    )
    assert.deepEqual(
      ['state', 'numberRecordsProcessed', 'numberRecordsFailed', 'jobId'].map((name) => textOf(info, name)),
      ['Completed', '2', '1', job],
    )
    const result = await sendClassic(org, 'GET', `${path}/result`)
    assert.equal(result.headers['content-type'], 'text/csv; charset=UTF-8')
    const [account] = await fetchRecords(org, "SELECT Id FROM Account WHERE Name = 'csv'")
    assert.equal(
      result.body,
      '"Id","Success","Created","Error"\n' +
        '"","false","false","REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --"\n' +
        `"${account!.Id}","true","true",""\n`,
    )
    assert.equal((await sendClassic(org, 'GET', `${path}/request`)).body, 'Name,Phone\r\n,1\r\n"csv",2\r\n')
    assert.match(
      (await sendClassic(org, 'GET', `/job/${job}/batch`)).body,
      /^<\?xml[^>]*><batchInfoList [^>]*><batchInfo><id>751/,
    )
    assert.equal((await org.call('GET', `/jobs/ingest/${id}`)).status, 404)
    const counted = await sendClassic(org, 'GET', `/job/${job}`)
    assert.deepEqual(
      ['state', 'numberBatchesCompleted', 'numberBatchesTotal', 'numberRecordsFailed'].map((name) =>
        textOf(counted.body, name),
      ),
      ['Open', '1', '1', '1'],
    )
  })

  test('may come packed', async () => {
    const job = await openClassic(org, { operation: 'insert', object: 'Account', contentType: 'CSV' })
    const { statusCode } = await sendClassic(org, 'POST', `/job/${job}/batch`, {
      type: CSV,
      text: gzipSync('Name\npacked'),
      headers: { 'content-encoding': 'gzip' },
    })
    assert.equal(statusCode, 201)
  })
})

describe('a batch of XML', () => {
  test('writes values, nulls and parents by their keys, and has its outcomes in XML', async () => {
    const account = await org.create('Account', { Name: 'x', Phone: '1', Site: 'stays' })
    const job = await openClassic(org, { operation: 'update', object: 'Account', contentType: 'XML' })
    const text = `<?xml version="1.0" encoding="UTF-8"?><!-- <sObject> --><sObjects ${ROOT}>
      <sObject><Id>${account}</Id><Name>a &amp; <![CDATA[<b>]]></Name><Phone xsi:nil="true"/><Site></Site>
      <Owner><sObject><Username>${ADMIN_USERNAME}</Username></sObject></Owner></sObject>
      <sObject><Id>${account}x</Id></sObject></sObjects>`
    const { path } = await runBatch(org, job, XML, text)
    const { Name, Phone, Site } = (await org.call('GET', `/sobjects/Account/${account}`)).body
    assert.deepEqual([Name, Phone, Site], ['a & <b>', null, 'stays'])
    const { headers, body } = await sendClassic(org, 'GET', `${path}/result`)
    assert.equal(headers['content-type'], 'application/xml; charset=UTF-8')
    assert.match(
      body,
      new RegExp(
        `^<\\?xml[^>]*><results ${ROOT}><result><id>${account}</id><success>true</success><created>false</created></result>` +
          '<result><errors>.*<message>[^<]+</message><statusCode>MALFORMED_ID</statusCode></errors>.*<success>false</success><created>false</created></result></results>$',
      ),
    )
    assert.equal((await sendClassic(org, 'GET', `${path}/request`)).body, text)
  })

  test('that is no list of records, or defines entities, is refused', async () => {
    const job = await openClassic(org, { operation: 'insert', object: 'Account' })
    const record = '<sObject><Name>x</Name></sObject>'
    for (const text of [
      'Name\nx',
      `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(100)}">]><sObjects>${record}</sObjects>`,
      `<sObjects>${record}`,
      `<sObjects>${record}</other>`,
      `<sObjects>${record}</sObjects><sObjects/>`,
      '<sObjects><sObject><Name>x</sObject></Name></sObjects>',
      '<sObjects><sObject><Name>&undefined;</Name></sObject></sObjects>',
      `<sObjects>${'<sObject>'.repeat(100_000)}</sObjects>`,
      `<sObjects>${'<sObject>'.repeat(1000)}${'</sObject>'.repeat(1000)}</sObjects>`,
      `<sObjects><sObject><Name>${'x'.repeat(400_001)}</Name></sObject></sObjects>`,
      `<sObjects><sObject>${'<Name/>'.repeat(20_000)}</sObject></sObjects>`,
      `<sObjects ${'x'.repeat(3000)}="">${record}</sObjects>`,
      '<sObjects><Account/></sObjects>',
      '<sObjects><sObject/></sObjects>',
    ]) {
      assert.deepEqual(
        await refusal(`/job/${job}/batch`, { type: XML, text }),
        [400, 'InvalidBatch'],
        text.slice(0, 80),
      )
    }
  })
})

describe('a job in JSON', () => {
  const create = async (members: Record<string, unknown>) => {
    const text = JSON.stringify({ contentType: 'JSON', ...members })
    const answer = await sendClassic(org, 'POST', '/job', { type: JSON_TYPE, text })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }

  test('is answered in JSON all the way', async () => {
    const job = await create({ operation: 'insert', object: 'Account', concurrencyMode: 1 })
    assert.deepEqual(
      [job.state, job.concurrencyMode, job.apiVersion, job.externalIdFieldName],
      ['Open', 'Serial', 64, null],
    )
    const rows = [
      {
        attributes: { type: 'Account' },
        Name: 'j',
        NumberOfEmployees: 5,
        Owner: { Username: ADMIN_USERNAME },
      },
      { NumberOfEmployees: 6, Name: null },
    ]
    const { path } = await runBatch(org, job.id, JSON_TYPE, JSON.stringify(rows))
    const result = await sendClassic(org, 'GET', `${path}/result`)
    assert.equal(result.headers['content-type'], 'application/json; charset=UTF-8')
    const [good, bad] = result.json()
    assert.deepEqual(good, { success: true, created: true, id: good.id, errors: [] })
    assert.deepEqual(bad, {
      success: false,
      created: false,
      id: null,
      errors: [
        {
          statusCode: 'REQUIRED_FIELD_MISSING',
          message: 'Required fields are missing: [Name]',
          fields: ['Name'],
          extendedErrorDetails: null,
        },
      ],
    })
    assert.equal((await org.call('GET', `/sobjects/Account/${good.id}`)).body.NumberOfEmployees, 5)
    assert.equal((await sendClassic(org, 'GET', `/job/${job.id}/batch`)).json().batchInfo.length, 1)
    const closed = await sendClassic(org, 'POST', `/job/${job.id}`, {
      type: JSON_TYPE,
      text: '{"state":"Closed"}',
    })
    assert.equal(closed.json().state, 'Closed')
  })

  test('has outcomes of any number of records as one list', async () => {
    const job = await create({ operation: 'insert', object: 'Account' })
    const rows = Array.from({ length: 1200 }, (_, n) => ({ Name: `list ${n}`, Site: 'list' }))
    const { path } = await runBatch(org, job.id, JSON_TYPE, JSON.stringify(rows))
    const results = (await sendClassic(org, 'GET', `${path}/result`)).json()
    assert.equal(results.length, 1200)
    const query = await create({ operation: 'query', object: 'Account' })
    const batch = await runBatch(
      org,
      query.id,
      JSON_TYPE,
      "SELECT Id, Name FROM Account WHERE Site = 'list' ORDER BY Id",
    )
    const [id, ...more] = (await sendClassic(org, 'GET', `${batch.path}/result`)).json()
    assert.deepEqual([id.slice(0, 3), more], ['752', []])
    const records = (await sendClassic(org, 'GET', `${batch.path}/result/${id}`)).json()
    assert.deepEqual(
      records.map(({ Id }: { Id: string }) => Id),
      results.map(({ id: one }: { id: string }) => one).sort(),
    )
    assert.equal(records[0].attributes.type, 'Account')
  })

  test('refuses in JSON', async () => {
    const answer = await sendClassic(org, 'POST', '/job', {
      type: JSON_TYPE,
      text: '{"operation":"insert","object":"X__c"}',
    })
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [
        400,
        {
          exceptionCode: 'InvalidEntity',
          exceptionMessage: "Entity 'X__c' is not supported by the Bulk API.",
        },
      ],
    )
  })
})

describe('a query', () => {
  const query = async (contentType: string, text: string) => {
    const job = await openClassic(org, { operation: 'query', object: 'Account', contentType })
    return runBatch(org, job, contentType === 'CSV' ? CSV : XML, text)
  }

  test('in XML has records with nulls and parents', async () => {
    const id = await org.create('Account', { Name: 'q & a', NumberOfEmployees: 7 })
    const { path } = await query(
      'XML',
      `SELECT Id, Name, Phone, NumberOfEmployees, Owner.Username FROM Account WHERE Id = '${id}'`,
    )
    const list = (await sendClassic(org, 'GET', `${path}/result`)).body
    assert.match(
      list,
      new RegExp(`<result-list xmlns="${URI}"[^>]*><result>752\\w{15}</result></result-list>`),
    )
    const { body } = await sendClassic(org, 'GET', `${path}/result/${textOf(list, 'result')}`)
    assert.equal(
      body,
      `<?xml version="1.0" encoding="UTF-8"?><queryResult ${ROOT}><records xsi:type="sObject"><type>Account</type><Id>${id}</Id><Name>q &amp; a</Name>` +
        `<Phone xsi:nil="true"/><NumberOfEmployees>7</NumberOfEmployees><Owner xsi:type="sObject"><type>User</type><Username>${ADMIN_USERNAME}</Username></Owner></records></queryResult>`,
    )
  })

  test('that cannot be processed makes its batch fail, with the reason', async () => {
    const { info, path } = await query('CSV', 'SELECT Nme FROM Account')
    assert.equal(textOf(info, 'state'), 'Failed')
    assert.match(textOf(info, 'stateMessage')!, /^InvalidBatch : Failed to process query: INVALID_FIELD: /)
    assert.deepEqual(await refusal(`${path}/result`, {}, 'GET'), [400, 'InvalidBatch'])
  })
})

test('an upsert changes the record that has the key, and creates the others', async () => {
  await org.deploy([SPECIMEN])
  const job = await openClassic(org, {
    operation: 'upsert',
    object: 'Specimen__c',
    contentType: 'CSV',
    externalIdFieldName: 'Key__c',
  })
  const id = await org.create('Specimen__c', { Name: 'before', Key__c: 'v1-a' })
  const { path } = await runBatch(org, job, CSV, 'Name,Key__c\nafter,v1-a\nnew,v1-b\n')
  const { body } = await sendClassic(org, 'GET', `${path}/result`)
  assert.match(
    body,
    new RegExp(`^"Id","Success","Created","Error"\n"${id}","true","false",""\n"\\w{18}","true","true",""\n$`),
  )
})

test('fault plans meet the calls of version 1, in its form, and the chunks of its batches', async () => {
  const plan = (body: object) => org.call('PUT', '/setup/faults/planned', { body })
  const job = await openClassic(org, { operation: 'insert', object: 'Account', contentType: 'CSV' })
  const error = { code: 'QUERY_TIMEOUT', message: 'too long' }
  await plan({ match: { route: '/services/async/job/:job' }, effect: { error } })
  assert.deepEqual(await refusal(`/job/${job}`, {}, 'GET'), [400, 'Unknown'])
  await plan({ match: { route: '/services/async/job/:job/batch', step: 1 }, effect: { error } })
  const { path } = await runBatch(org, job, CSV, 'Name\nstruck\n')
  const { body } = await sendClassic(org, 'GET', `${path}/result`)
  assert.match(body, /"","false","false","QUERY_TIMEOUT:too long:--"\n$/)
  await org.call('DELETE', '/setup/faults')
})

test('an aborted job processes no batch that has not begun', async () => {
  const job = await openClassic(org, {
    operation: 'insert',
    object: 'Account',
    contentType: 'CSV',
    concurrencyMode: 'Serial',
  })
  const rows = `Name,Site\n${'a,aborted\n'.repeat(9_000)}`
  for (let n = 0; n < 4; n++) await sendClassic(org, 'POST', `/job/${job}/batch`, { type: CSV, text: rows })
  const aborted = await sendClassic(org, 'POST', `/job/${job}`, {
    type: XML,
    text: jobXml({ state: 'Aborted' }),
  })
  assert.equal(textOf(aborted.body, 'state'), 'Aborted')
  const { body } = await sendClassic(org, 'GET', `/job/${job}/batch`)
  const states = [...body.matchAll(/<state>(\w+)</g)].map(([, state]) => state)
  assert.deepEqual(states.slice(1), ['NotProcessed', 'NotProcessed', 'NotProcessed'])
  assert.deepEqual(await refusal(`/job/${job}`, { type: XML, text: jobXml({ state: 'Aborted' }) }), [
    400,
    'InvalidJobState',
  ])
})

test('what is not there, not allowed or too large is refused in the form of version 1', async () => {
  const job = await openClassic(org, { operation: 'insert', object: 'Account', contentType: 'CSV' })
  const batch = `/job/${job}/batch`
  const create = (members: Record<string, string>) => refusal('/job', { type: XML, text: jobXml(members) })
  const object = 'Account'
  assert.deepEqual(await refusal('/job/750000000000001AAA', {}, 'GET'), [400, 'InvalidJob'])
  assert.deepEqual(await refusal('/job/x', {}, 'GET'), [400, 'InvalidJob'])
  assert.deepEqual(await refusal(`${batch}/751000000000001AAA`, {}, 'GET'), [400, 'InvalidBatch'])
  assert.deepEqual(await refusal('/nothing', {}, 'GET'), [400, 'InvalidUrl'])
  assert.deepEqual(await refusal('/job', {}, 'GET'), [405, 'InvalidUrl'])
  assert.deepEqual(await refusal('/job', { version: '9.0', type: XML, text: 'x' }), [400, 'InvalidVersion'])
  assert.deepEqual(await create({ operation: 'insert' }), [400, 'InvalidJob'])
  assert.deepEqual(await create({ operation: 'merge', object }), [400, 'InvalidJob'])
  assert.deepEqual(await create({ operation: 'upsert', object }), [400, 'InvalidJob'])
  assert.deepEqual(await create({ operation: 'insert', object, contentType: 'ZIP_CSV' }), [
    400,
    'FeatureNotEnabled',
  ])
  assert.deepEqual(await refusal('/job', { type: XML, text: 'x'.repeat(70_000) }), [400, 'InvalidJob'])
  assert.deepEqual(await refusal('/job', { type: JSON_TYPE, text: '[]', headers: { accept: 'text/xml' } }), [
    400,
    undefined,
  ])
  assert.deepEqual(await refusal(batch, { type: JSON_TYPE, text: '[]' }), [400, undefined])
  assert.deepEqual(await refusal(batch, { type: 'zip/csv', text: 'PK' }), [400, 'FeatureNotEnabled'])
  assert.deepEqual(await refusal(batch, { type: 'text/csv; charset=UTF-16', text: 'x' }), [
    400,
    'InvalidBatch',
  ])
  assert.deepEqual(await refusal(batch, { type: CSV, text: Buffer.from([0xff, 0xfe]) }), [
    400,
    'InvalidBatch',
  ])
  assert.deepEqual(await refusal(batch, { type: CSV }), [400, 'InvalidBatch'])
  assert.deepEqual(await refusal(batch, { type: CSV, text: `Name\n${'x\n'.repeat(10_001)}` }), [
    400,
    'InvalidBatch',
  ])
  assert.deepEqual(await refusal(batch, { type: CSV, text: 'x'.repeat(10_000_001) }), [400, 'InvalidBatch'])
  assert.deepEqual(await refusal(batch, { type: CSV, text: 'x'.repeat(11 * 1024 * 1024) }), [
    400,
    'InvalidBatch',
  ])
  assert.deepEqual(await refusal(batch, { type: CSV, text: 'x', headers: { 'x-sfdc-session': 'y' } }), [
    400,
    'InvalidSessionId',
  ])
  const bearer = { 'x-sfdc-session': '', authorization: `Bearer ${org.token}` }
  assert.equal((await sendClassic(org, 'GET', `/job/${job}`, { headers: bearer })).statusCode, 200)
  const other = await openOrg()
  const { body } = await sendClassic(other, 'GET', `/job/${job}`)
  assert.equal(textOf(body, 'exceptionCode'), 'InvalidJob')
})

test('batches count toward the limit of all bulk jobs, and queries of version 1 are no jobs of version 2', async () => {
  const limits = async () => {
    const { DailyBulkApiBatches, DailyBulkV2QueryJobs } = (await org.call('GET', '/limits')).body
    return [DailyBulkApiBatches.Remaining, DailyBulkV2QueryJobs.Remaining]
  }
  const [batches, queries] = await limits()
  const job = await openClassic(org, { operation: 'query', object: 'Account', contentType: 'CSV' })
  await runBatch(org, job, CSV, 'SELECT Id FROM Account LIMIT 1')
  assert.deepEqual(await limits(), [batches - 1, queries])
})

test('an org whose jobs are of an earlier version keeps them, and its new ones have batches', async () => {
  const earlier = await openOrg()
  const { id } = await createJob(earlier, { object: 'Account', operation: 'insert' })
  await upgradeJobs(earlier)
  const job = await openClassic(earlier, { operation: 'insert', object: 'Account', contentType: 'CSV' })
  const { info } = await runBatch(earlier, job, CSV, 'Name\nx')
  assert.equal(textOf(info, 'state'), 'Completed')
  const { records } = (await earlier.call('GET', '/jobs/ingest')).body
  assert.deepEqual(
    records.map((one: { id: string; jobType: string }) => [one.id, one.jobType]),
    [
      [id, 'V2Ingest'],
      [job, 'Classic'],
    ],
  )
})
