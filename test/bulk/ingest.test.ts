import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { createJob, ingest, results, setState, untilOver, upload } from '../support/bulk.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'
import { ADMIN_USERNAME } from '../support/template.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
})

describe('an insert', () => {
  test('writes each row that can be written, and says of each row what became of it', async () => {
    const job = await ingest(
      org,
      { object: 'account', operation: 'insert' },
      'NAME,Phone\nA,1\n,2\n"C ""q"", d",3\n',
    )
    assert.equal(job.state, 'JobComplete')
    assert.equal(job.object, 'Account')
    assert.deepEqual([job.numberRecordsProcessed, job.numberRecordsFailed], [3, 1])
    const { successful, failed, unprocessed } = await results(org, job.id)
    const accounts = await fetchRecords(
      org,
      "SELECT Id, Name, Phone FROM Account WHERE Phone IN ('1', '3') ORDER BY Phone",
    )
    assert.deepEqual(
      successful,
      '"sf__Id","sf__Created","NAME","Phone"\n' +
        `"${accounts[0]!.Id}","true","A","1"\n"${accounts[1]!.Id}","true","C ""q"", d","3"\n`,
    )
    assert.equal(
      failed,
      '"sf__Id","sf__Error","NAME","Phone"\n"","REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --","","2"\n',
    )
    assert.equal(unprocessed, '"NAME","Phone"\n')
  })
})

test('a job that does not exist is 404', async () => {
  assertRefused(
    await org.call('GET', '/jobs/ingest/750000000000001AAA'),
    404,
    'NOT_FOUND',
    'The requested resource does not exist',
  )
})

test('a job whose lines end in another way than it says fails, unless the setting is lenient', async () => {
  const lenient = await openOrg({ settings: { lenient: 'true' } })
  for (const [lineEnding, text] of [
    ['LF', '"Name",Phone\r\na,1\r\n'],
    ['CRLF', 'Name,Phone\na,1\n'],
  ] as const) {
    const body = { object: 'Account', operation: 'insert', lineEnding }
    const { state, errorMessage, numberRecordsProcessed } = await ingest(org, body, text)
    assert.deepEqual(
      [state, errorMessage, numberRecordsProcessed],
      [
        'Failed',
        `ClientInputError : LineEnding is invalid on user data. Current LineEnding setting is ${lineEnding}`,
        0,
      ],
    )
    assert.equal((await ingest(lenient, body, text)).state, 'JobComplete')
  }
})

test('the same record or key twice in a job changes nothing, unless the setting is lenient', async () => {
  const lenient = await openOrg({ settings: { lenient: 'true' } })
  for (const [where, isTaken] of [
    [org, false],
    [lenient, true],
  ] as const) {
    const id = await where.create('Account', { Name: 'Twice' })
    const other = await where.create('Account', { Name: 'Once' })
    for (const body of [
      { object: 'Account', operation: 'update' },
      { object: 'Account', operation: 'upsert', externalIdFieldName: 'Id' },
    ]) {
      const job = await ingest(where, body, `Id,Site\n${id},1\n${other},2\n${id.slice(0, 15)},3\n`)
      assert.equal(job.numberRecordsFailed, isTaken ? 0 : 2)
      const { failed } = await results(where, job.id)
      assert.equal(
        failed.split(`"DUPLICATE_VALUE:Duplicate id specified: ${id}:Id --"`).length,
        isTaken ? 1 : 3,
      )
      assert.equal((await where.call('GET', `/sobjects/Account/${id}`)).body.Site, isTaken ? '3' : null)
    }
  }
})

describe('rows', () => {
  test('may have any delimiter, either line ending, a byte order mark and no end of the last line', async () => {
    const delimiters = { BACKQUOTE: '`', CARET: '^', COMMA: ',', PIPE: '|', SEMICOLON: ';', TAB: '\t' }
    for (const [columnDelimiter, d] of Object.entries(delimiters)) {
      const text = `\uFEFF"Name"${d}Phone\r\n"a${d}\nb"${d}é\n\r\n\nlast${d}"${columnDelimiter}"`
      const job = await ingest(
        org,
        { object: 'Account', operation: 'insert', columnDelimiter, lineEnding: 'CRLF' },
        text,
      )
      assert.deepEqual(
        [job.state, job.numberRecordsProcessed, job.numberRecordsFailed],
        ['JobComplete', 2, 0],
      )
      const { successful } = await results(org, job.id)
      assert.match(
        successful,
        new RegExp(
          `^"sf__Id"\\${d}"sf__Created"\\${d}"Name"\\${d}"Phone"\\r\\n"001\\w{15}"\\${d}"true"\\${d}"a\\${d}\\nb"\\${d}"é"\\r\\n`,
        ),
      )
    }
  })

  test('that are not valid fail alone, and their results can be read', async () => {
    const rows = ['Name,Phone', 'a,1,2', 'b', '"c"x,1', 'd", 1', 'good,1', ',', '"never closed,1', 'e,2']
    const job = await ingest(org, { object: 'Account', operation: 'insert' }, rows.join('\n'))
    assert.deepEqual([job.state, job.numberRecordsProcessed, job.numberRecordsFailed], ['JobComplete', 7, 6])
    const { failed } = await results(org, job.id)
    assert.match(failed, /"INVALID_INPUT:The row has 3 values, the header has 2 columns:--","a","1"\n/)
    assert.match(failed, /"INVALID_INPUT:The row has 1 values, the header has 2 columns:--","b",""\n/)
    assert.match(failed, /"","REQUIRED_FIELD_MISSING:Required fields are missing: \[Name\]:Name --","",""\n/)
  })

  test('none: the job is complete and has empty results', async () => {
    for (const [text, operation] of [
      ['', 'insert'],
      ['Id\n', 'delete'],
      ['\n\n', 'update'],
    ] as const) {
      const job = await ingest(org, { object: 'Account', operation }, text)
      assert.deepEqual([job.state, job.numberRecordsProcessed], ['JobComplete', 0])
      assert.equal((await results(org, job.id)).failed.split('\n').length, text === 'Id\n' ? 2 : 1)
    }
  })

  test('of a file that cannot be processed: the job fails, says why, and all of them are unprocessed', async () => {
    const wrong: [Record<string, unknown>, string, string][] = [
      [{}, 'Nme,Phon\nx,1', 'InvalidBatch : Field name not found : Nme, Phon. Did you mean Name, Phone?'],
      [
        {},
        'Name|Phone\nx|1',
        'InvalidBatch : Field name not found : Name|Phone. The file looks PIPE-separated; create the job with columnDelimiter PIPE',
      ],
      [{}, 'Name,name\nx,1', 'InvalidBatch : Duplicate field name : name'],
      [{ operation: 'update' }, 'Name\nx', 'InvalidBatch : Field name not found : Id'],
      [{ operation: 'delete' }, 'Id,Name\nx,y', "InvalidBatch : The 'delete' batch must contain only ids"],
    ]
    for (const [members, text, message] of wrong) {
      const job = await ingest(org, { object: 'Account', operation: 'insert', ...members }, text)
      assert.deepEqual([job.state, job.errorMessage, job.numberRecordsProcessed], ['Failed', message, 0])
      assert.equal((await results(org, job.id)).unprocessed.split('\n').length, 3)
    }
  })

  test('write null for #N/A, nothing for an empty value, and numbers, dates and booleans as files have them', async () => {
    const text =
      'FirstName,LastName,Birthdate,HasOptedOutOfEmail\nAda,L,1815-12-10Z,1\n,M,#N/A,no\n,N,soon,maybe\n'
    const job = await ingest(org, { object: 'Contact', operation: 'insert' }, text)
    assert.equal(job.numberRecordsFailed, 1)
    const { failed } = await results(org, job.id)
    assert.match(failed, /INVALID_TYPE_ON_FIELD_IN_RECORD:value not of required type date: soon:Birthdate --/)
    const contacts = await fetchRecords(
      org,
      "SELECT FirstName, Birthdate, HasOptedOutOfEmail FROM Contact WHERE LastName IN ('L', 'M') ORDER BY LastName",
    )
    assert.deepEqual(
      contacts.map(({ FirstName, Birthdate, HasOptedOutOfEmail }) => [
        FirstName,
        Birthdate,
        HasOptedOutOfEmail,
      ]),
      [
        ['Ada', '1815-12-10', true],
        [null, null, false],
      ],
    )
  })

  test('name parents by a key, and the type of one where there are several', async () => {
    await org.deploy([SPECIMEN, TICKET])
    await org.create('Specimen__c', { Key__c: 'parent' })
    const insert = { object: 'Contact', operation: 'insert' }
    const owners = await ingest(org, insert, `LastName,Owner.Username\nx,${ADMIN_USERNAME}`)
    assert.equal(owners.state === 'Failed' || owners.numberRecordsFailed === 0, true)
    const job = await ingest(
      org,
      insert,
      `LastName,User:Owner.Username\nby key,${ADMIN_USERNAME}\nby none,nobody@x.y`,
    )
    assert.deepEqual([job.state, job.numberRecordsFailed], ['JobComplete', 1], job.errorMessage)
    const { failed } = await results(org, job.id)
    assert.match(
      failed,
      /INVALID_FIELD:Foreign key external ID: nobody@x.y not found for field Username in entity User:--/,
    )
  })
})

describe('an update, an upsert and a delete', () => {
  test('change, create and delete the records that their rows name', async () => {
    const [one, two] = [
      await org.create('Account', { Name: 'one' }),
      await org.create('Account', { Name: 'two' }),
    ]
    const updated = await ingest(
      org,
      { object: 'Account', operation: 'update', externalIdFieldName: '' },
      `ID,Phone\n${one},7\n${two},6\n001000000000000AAA,1\nx,1\n,1\n`,
    )
    assert.deepEqual([updated.numberRecordsProcessed, updated.numberRecordsFailed], [5, 3])
    const { successful, failed } = await results(org, updated.id)
    assert.equal(
      successful,
      `"sf__Id","sf__Created","ID","Phone"\n"${one}","false","${one}","7"\n"${two}","false","${two}","6"\n`,
    )
    assert.match(failed, /"001000000000000AAA","(?:ENTITY_IS_DELETED|NOT_FOUND|INVALID_CROSS_REFERENCE_KEY):/)
    assert.match(failed, /"MALFORMED_ID:.*:Id --"/)
    assert.match(failed, /"MISSING_ARGUMENT:Id not specified in an update call:Id --"/)
    assert.equal((await org.call('GET', `/sobjects/Account/${one}`)).body.Phone, '7')

    await org.deploy([SPECIMEN, TICKET])
    const upsert = { object: 'Specimen__c', operation: 'upsert', externalIdFieldName: 'key__c' }
    const upserted = await ingest(org, upsert, 'Key__c,Text__c\nb1,x\nb2,y\nB1,z\nb3,v\n,w\n')
    assert.deepEqual([upserted.externalIdFieldName, upserted.numberRecordsFailed], ['Key__c', 3])
    const written = await results(org, upserted.id)
    assert.deepEqual(
      written.successful.split('\n').map((line) => line.split(',')[1]),
      ['"sf__Created"', '"true"', '"true"', undefined],
    )
    assert.match(written.failed, /MISSING_ARGUMENT:Key__c not specified:Key__c --/)
    for (const key of ['b1', 'B1'])
      assert.ok(written.failed.includes(`DUPLICATE_VALUE:Duplicate external id specified: ${key}:Key__c --`))

    const byId = await ingest(
      org,
      { object: 'Account', operation: 'upsert', externalIdFieldName: 'Id' },
      'Name\nu1\nu2\n',
    )
    assert.match((await results(org, byId.id)).successful, /"true","u1"\n"001\w+","true","u2"\n$/)

    const deleted = await ingest(org, { object: 'Account', operation: 'delete' }, `Id\n${one}\n${one}\n`)
    assert.deepEqual([deleted.numberRecordsProcessed, deleted.numberRecordsFailed], [2, 1])
    assert.match((await results(org, deleted.id)).failed, /"ENTITY_IS_DELETED:entity is deleted:--"/)
    const hard = await ingest(org, { object: 'Account', operation: 'hardDelete' }, `Id\n${two}\n`)
    assert.deepEqual([hard.state, hard.numberRecordsFailed], ['JobComplete', 0])
    const all = await org.call(
      'GET',
      `/queryAll?q=${encodeURIComponent(`SELECT Id FROM Account WHERE Id IN ('${one}', '${two}')`)}`,
    )
    assert.deepEqual(
      all.body.records.map(({ Id }: { Id: string }) => Id),
      [one],
    )
  })
})

test('a hard delete of masters deletes their details; what deleted details refer to stays in the recycle bin', async () => {
  const target = await openOrg()
  await target.deploy(HIERARCHY_SCHEMA)
  const house = await target.create('House__c', { Name: 'house' })
  const empty = await target.create('House__c', { Name: 'empty' })
  const room = await target.create('Room__c', { Name: 'room', House__c: house })
  await target.create('Chair__c', { Name: 'chair', Room__c: room })
  await target.create('Letter__c', { Name: 'letter', Sender__c: house, Archive__c: house })
  const kept = await target.create('House__c', { Name: 'leased' })
  await target.create('Lease__c', { Name: 'lease', House__c: kept })
  const hard = { object: 'House__c', operation: 'hardDelete' }
  const job = await ingest(target, hard, `Id\n${house}\n${kept}\n${empty}\n`)
  assert.deepEqual([job.state, job.numberRecordsProcessed, job.numberRecordsFailed], ['JobComplete', 3, 1])
  assert.match((await results(target, job.id)).failed, new RegExp(`"${kept}","DELETE_FAILED:`))
  const find = async (resource: string, object: string) => {
    const { body } = await target.call(
      'GET',
      `/${resource}?q=${encodeURIComponent(`SELECT Name FROM ${object} ORDER BY Name`)}`,
    )
    return body.records.map(({ Name }: { Name: string }) => Name)
  }
  assert.deepEqual(await find('query', 'House__c'), ['leased'])
  assert.deepEqual(await find('queryAll', 'House__c'), ['house', 'leased'])
  assert.deepEqual(await find('query', 'Chair__c'), [])
})

describe('a job', () => {
  test('is refused where it cannot be carried out', async () => {
    const refuse = async (body: object, code: string, message: RegExp) => {
      const answer = await org.call('POST', '/jobs/ingest', { body })
      assert.deepEqual([answer.status, answer.body[0].errorCode], [400, code])
      assert.match(answer.body[0].message, message)
    }
    await refuse({ operation: 'insert' }, 'JSON_PARSER_ERROR', /"object" is missing/)
    await refuse(
      { object: 'Account', operation: 'merge' },
      'JSON_PARSER_ERROR',
      /"merge" is not a valid operation/,
    )
    await refuse(
      { object: 'Account', operation: 'insert', x: 1 },
      'JSON_PARSER_ERROR',
      /Unrecognized field "x"/,
    )
    await refuse(
      { object: 'Nope', operation: 'insert' },
      'INVALIDENTITY',
      /^Entity 'Nope' is not supported by the Bulk API\.$/,
    )
    await refuse(
      { object: 'Contact', operation: 'upsert' },
      'INVALIDJOB',
      /^External ID was blank for Contact\. An External ID must be specified for upsert\.$/,
    )
    await refuse(
      { object: 'Contact', operation: 'upsert', externalIdFieldName: 'Phone' },
      'INVALIDJOB',
      /InvalidExternalId/,
    )
  })

  test('takes one upload, and only while it is open', async () => {
    const { id, contentUrl } = await createJob(org, { object: 'Account', operation: 'insert' })
    assert.equal(contentUrl, `services/data/v64.0/jobs/ingest/${id}/batches`)
    const early = await setState(org, id, 'UploadComplete')
    assert.deepEqual([early.status, early.body[0].errorCode], [400, 'INVALIDJOB'])
    const wide = await upload(org, id, Buffer.from('\uFEFFName\nx', 'utf16le'))
    assert.match(wide.body[0].message, /not UTF-8 text, but UTF-16/)
    assert.equal((await upload(org, id, 'Name\nx')).status, 201)
    assert.equal((await upload(org, id, 'Name\ny')).body[0].errorCode, 'INVALIDJOB')
    const answer = await org.call('GET', `/jobs/ingest/${id}/successfulResults`)
    assert.deepEqual([answer.status, answer.body[0].errorCode], [400, 'INVALIDJOBSTATE'])
    assert.equal((await org.call('DELETE', `/jobs/ingest/${id}`)).body[0].errorCode, 'INVALIDJOBSTATE')
    assert.equal((await setState(org, id, 'Aborted')).body.state, 'Aborted')
    assert.equal((await upload(org, id, 'Name\ny')).body[0].errorCode, 'INVALIDJOBSTATE')
    const again = await setState(org, id, 'Aborted')
    assert.deepEqual(again.body[0], {
      errorCode: 'INVALIDJOBSTATE',
      message: 'Aborting already Completed Job not allowed',
      fields: [],
    })
    assert.equal((await results(org, id)).unprocessed, '"Name"\n"x"\n')
    assert.equal((await org.call('DELETE', `/jobs/ingest/${id.slice(0, 15)}`)).status, 204)
    assert.equal((await org.call('GET', `/jobs/ingest/${id}`)).status, 404)
  })

  test('comes with its rows as multipart/form-data and is closed at once', async () => {
    const job = JSON.stringify({ object: 'Account', operation: 'insert' })
    const text = `--b\r\nContent-Disposition: form-data; name="job"\r\nContent-Type: application/json\r\n\r\n${job}\r\n--b\r\nContent-Disposition: form-data; name="content"; filename="content"\r\nContent-Type: text/csv\r\n\r\nName\nm1\nm2\n\r\n--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await org.call('POST', '/jobs/ingest', { text, headers })
    assert.deepEqual([answer.status, answer.body.state], [200, 'UploadComplete'], answer.text)
    assert.equal((await untilOver(org, answer.body.id)).numberRecordsProcessed, 2)
  })

  test('is listed for its user', async () => {
    const { body } = await org.call('GET', '/jobs/ingest?jobType=V2Ingest')
    assert.deepEqual([body.done, body.nextRecordsUrl], [true, null])
    assert.ok(body.records.length > 3)
    assert.deepEqual((await org.call('GET', '/jobs/ingest?jobType=Classic')).body.records, [])
    assert.equal((await org.call('GET', '/jobs/ingest?jobType=x')).body[0].errorCode, 'INVALIDJOB')
  })
})
