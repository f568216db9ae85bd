import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { createJob, ingest, isOver, setState, untilOver } from '../support/bulk.ts'
import { longestPiece } from '../support/longest-piece.sql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { until } from '../support/until.ts'

let org: TestOrg

const ROWS = 450

before(async () => {
  org = await openOrg()
  const rows = Array.from({ length: ROWS }, (_, n) => `"n ${n}","line\n""${n}""",${n}`)
  await ingest(
    org,
    { object: 'Account', operation: 'insert' },
    `Name,Description,NumberOfEmployees\n${rows.join('\n')}`,
  )
})

const run = async (query: string, more: Record<string, unknown> = {}) => {
  const { id } = await createJob(org, { operation: 'query', query, ...more }, 'query')
  return untilOver(org, id, 'query')
}

const read = (id: string, parameters = '') => org.call('GET', `/jobs/query/${id}/results${parameters}`)

describe('a query job', () => {
  test('has all records with the names of the fields, every value in quotes', async () => {
    const { id: contact } = (
      await org.call('POST', '/sobjects/Contact', { body: { LastName: 'Q "x"', Birthdate: '2000-01-02' } })
    ).body
    const job = await run(
      'select lastname, id, owner.username, account.name, HasOptedOutOfEmail, birthdate from contact',
    )
    assert.deepEqual(
      [job.state, job.object, job.numberRecordsProcessed, job.jobType],
      ['JobComplete', 'Contact', 1, 'V2Query'],
    )
    const answer = await read(job.id)
    const username = (await org.call('GET', `/sobjects/User/${org.userId}`)).body.Username
    assert.equal(
      answer.text,
      '"LastName","Id","Owner.Username","Account.Name","HasOptedOutOfEmail","Birthdate"\n' +
        `"Q ""x""","${contact}","${username}","","false","2000-01-02"\n`,
    )
    const { headers } = answer
    assert.deepEqual(
      [
        headers['sforce-locator'],
        headers['svc-locator'],
        headers['sforce-numberofrecords'],
        headers['content-type'],
      ],
      ['null', 'null', '1', 'text/csv; charset=UTF-8'],
    )
  })

  test('has pages of any size, each with the header, that are the same when they are read again', async () => {
    const job = await run(
      'SELECT NumberOfEmployees, Description, CreatedDate FROM Account ORDER BY NumberOfEmployees',
      {
        columnDelimiter: 'PIPE',
        lineEnding: 'CRLF',
      },
    )
    assert.equal(job.numberRecordsProcessed, ROWS)
    const whole = (await read(job.id)).text
    const header = '"NumberOfEmployees"|"Description"|"CreatedDate"\r\n'
    assert.ok(whole.startsWith(`${header}"0"|"line\n""0"""|"20`))
    assert.match(whole, /T\d\d:\d\d:\d\d\.000Z"\r\n$/)
    for (const max of [1, 7, 100, 449, 450, 1000]) {
      let [text, locator, count] = ['', '', 0]
      do {
        const answer = await read(job.id, `?maxRecords=${max}${locator && `&locator=${locator}`}`)
        assert.ok(answer.text.startsWith(header))
        assert.equal(Number(answer.headers['content-length']), Buffer.byteLength(answer.text))
        // Only whole records: the line feed inside a value ends none.
        assert.match(answer.text, /Z"\r\n$/)
        text += answer.text.slice(header.length)
        count += Number(answer.headers['sforce-numberofrecords'])
        locator = String(answer.headers['sforce-locator'])
        if (max === 1 && count > 30) break
      } while (locator !== 'null')
      if (max > 1) assert.deepEqual([header + text, count], [whole, ROWS])
    }
    const { body } = await org.call('GET', `/jobs/query/${job.id}/resultPages`)
    assert.deepEqual([body.done, body.nextRecordsUrl, body.resultPages.length], [true, null, 1])
    assert.equal((await org.call('GET', body.resultPages[0].resultUrl)).text, whole)
    assert.deepEqual(
      body.resultChunks.map(({ resultLink }: { resultLink: string }) => `/services/data/v64.0${resultLink}`),
      body.resultPages.map(({ resultUrl }: { resultUrl: string }) => resultUrl),
    )
  })

  test('without records has the header', async () => {
    const job = await run("SELECT Id FROM Account WHERE Name = 'nobody'")
    const answer = await read(job.id)
    assert.deepEqual(
      [answer.text, answer.headers['sforce-numberofrecords'], answer.headers['sforce-locator']],
      ['"Id"\n', '0', 'null'],
    )
    assert.equal((await org.call('GET', `/jobs/query/${job.id}/resultPages`)).body.resultPages.length, 1)
  })

  test('finds deleted records with queryAll only', async () => {
    const id = await org.create('Account', { Name: 'gone' })
    await org.call('DELETE', `/sobjects/Account/${id}`)
    const query = "SELECT Id, IsDeleted FROM Account WHERE Name = 'gone'"
    assert.equal((await run(query)).numberRecordsProcessed, 0)
    const job = await run(query, { operation: 'queryAll' })
    assert.equal((await read(job.id)).text, `"Id","IsDeleted"\n"${id}","true"\n`)
  })

  test('has its columns in the order in which they are selected, those of one parent too', async () => {
    const job = await run(
      'SELECT c.Id, Account.Name, Contact.LastName, toLabel(LeadSource) source, c.Account.Phone, Email FROM Contact c LIMIT 0',
    )
    assert.equal(
      (await read(job.id)).text,
      '"Id","Account.Name","LastName","source","Account.Phone","Email"\n',
    )
  })

  test('has its columns in alphabetical order before 50.0', async () => {
    const path = '/services/data/v49.0/jobs/query'
    const { body } = await org.call('POST', path, {
      body: { operation: 'query', query: 'SELECT Name, Id FROM Contact' },
    })
    await untilOver(org, body.id, 'query')
    assert.match((await read(body.id)).text, /^"Id","Name"\n/)
  })

  test('is refused where its query has no rows and columns', async () => {
    const refuse = async (query: unknown, code: string, message: RegExp) => {
      const answer = await org.call('POST', '/jobs/query', { body: { operation: 'query', query } })
      assert.deepEqual([answer.status, answer.body[0].errorCode], [400, code])
      assert.match(answer.body[0].message, message)
    }
    await refuse(
      'SELECT BillingAddress FROM Account',
      'API_ERROR',
      /^Selecting compound data not supported in Bulk Query$/,
    )
    await refuse('SELECT COUNT() FROM Account', 'API_ERROR', /Aggregate/)
    await refuse('SELECT Name, COUNT(Id) FROM Account GROUP BY Name', 'API_ERROR', /Aggregate/)
    await refuse('SELECT Id, (SELECT Id FROM Contacts) FROM Account', 'API_ERROR', /Contacts/)
    await refuse('SELECT Id FROM Account OFFSET 5', 'API_ERROR', /OFFSET/)
    await refuse('SELECT Nope FROM Account', 'INVALID_FIELD', /Nope/)
    await refuse('SELECT', 'MALFORMED_QUERY', /./)
    await refuse(null, 'API_ERROR', /^Value does not match expected type at \[line:1, column:30\]$/)
  })

  test('refuses pages that there are not, and cannot be closed or aborted when it is complete', async () => {
    const job = await run('SELECT Id FROM Account')
    for (const [parameters, code] of [
      ['?maxRecords=0', 'ILLEGAL_QUERY_PARAMETER_VALUE'],
      ['?maxRecords=-1', 'ILLEGAL_QUERY_PARAMETER_VALUE'],
      ['?maxRecords=x', 'ILLEGAL_QUERY_PARAMETER_VALUE'],
      ['?locator=null', 'INVALID_QUERY_LOCATOR'],
      [`?locator=${Buffer.from('450').toString('base64url')}`, 'INVALID_QUERY_LOCATOR'],
    ]) {
      const answer = await read(job.id, parameters)
      assert.deepEqual([answer.status, answer.body[0].errorCode], [400, code])
    }
    const other = await run('SELECT Name FROM Account')
    const locator = (await read(other.id, '?maxRecords=1')).headers['sforce-locator']
    assertRefused(
      await read(job.id, `?locator=${locator}`),
      400,
      'INVALID_QUERY_LOCATOR',
      'invalid query locator',
    )
    assert.equal((await read(other.id, `?locator=${locator}`)).status, 200)
    assert.equal(
      (await setState(org, job.id, 'UploadComplete', 'query')).body[0].errorCode,
      'INVALIDJOBSTATE',
    )
    assert.equal((await setState(org, job.id, 'Aborted', 'query')).body[0].errorCode, 'INVALIDJOBSTATE')
    assert.equal((await org.call('DELETE', `/jobs/query/${job.id}`)).status, 204)
    assertRefused(await read(job.id), 404, 'NOT_FOUND', 'The requested resource does not exist')
  })
})

describe('a query job whose records become long', () => {
  const SHORT = 300
  const LONG = 60
  const TEXT = 'x'.repeat(32_000)

  before(async () => {
    const rows = Array.from({ length: SHORT + LONG }, (_, n) => `L,C,${n},${n < SHORT ? '' : TEXT}`)
    const csv = `LastName,Company,NumberOfEmployees,Description\n${rows.join('\n')}`
    await ingest(org, { object: 'Lead', operation: 'insert' }, csv)
  })

  for (const [where, column] of [
    ['by the database', 'NumberOfEmployees'],
    ['here', 'FORMAT(NumberOfEmployees) n'],
  ]) {
    test(`is written in pieces that stay short, where that is done ${where}`, async () => {
      const job = await run(`SELECT ${column}, Description FROM Lead ORDER BY NumberOfEmployees`)
      assert.equal(job.numberRecordsProcessed, SHORT + LONG)
      const { text } = await read(job.id)
      assert.equal(text.match(/"x{32000}"\n/g)?.length, LONG)
      const [most] = await org.db.query<{ bytes: number }>(longestPiece(org.org, job.id))
      assert.ok(most!.bytes < 1.3 * 1024 * 1024, `${most!.bytes} bytes`)
    })
  }
})

describe('a long query job', () => {
  const LONG_ROWS = 1500
  let long: TestOrg

  before(async () => {
    long = await openOrg()
    // Each row has the long text of the same parent.
    const parent = await long.create('Account', { Name: 'parent', Description: 'x'.repeat(30_000) })
    const rows = Array.from({ length: LONG_ROWS }, (_, n) => `${n},${parent}`)
    await ingest(long, { object: 'Contact', operation: 'insert' }, `LastName,AccountId\n${rows.join('\n')}`)
  })

  const begin = async () => {
    const query = 'SELECT LastName, Account.Description FROM Contact'
    const { id } = await createJob(long, { operation: 'query', query }, 'query')
    const job = await until(async () => {
      const { status, text, body } = await long.call('GET', `/jobs/query/${id}`)
      assert.equal(status, 200, text)
      const hasBegun = body.state === 'InProgress' && body.numberRecordsProcessed > 0
      return (hasBegun || isOver(body)) && body
    })
    return { id, job }
  }

  test('says while it reads how many records it has, and other calls are answered meanwhile', async () => {
    const { id, job } = await begin()
    assert.equal(job.state, 'InProgress')
    assert.ok(job.numberRecordsProcessed < LONG_ROWS)
    const answer = await long.call('GET', '/sobjects/Account/describe')
    assert.equal(answer.status, 200)
    const over = await untilOver(long, id, 'query')
    assert.deepEqual([over.state, over.numberRecordsProcessed], ['JobComplete', LONG_ROWS])
    const { text } = await long.call('GET', `/jobs/query/${id}/results`)
    const names = text.match(/^"\d+"/gm)!
    assert.equal(new Set(names).size, LONG_ROWS)
  })

  test('that is aborted while it reads has no results, and the next one has all', async () => {
    const { id } = await begin()
    assert.equal((await setState(long, id, 'Aborted', 'query')).status, 200)
    assert.equal((await untilOver(long, id, 'query')).state, 'Aborted')
    assert.equal((await long.call('GET', `/jobs/query/${id}/results`)).body[0].errorCode, 'INVALIDJOBSTATE')
    assert.equal((await long.call('DELETE', `/jobs/query/${id}`)).status, 204)
    const { id: next } = await createJob(
      long,
      { operation: 'query', query: 'SELECT Id FROM Contact' },
      'query',
    )
    assert.equal((await untilOver(long, next, 'query')).numberRecordsProcessed, LONG_ROWS)
  })

  test('does not show what is written while it reads', async () => {
    const { id, job } = await begin()
    assert.equal(job.state, 'InProgress')
    assert.equal((await long.call('POST', '/sobjects/Contact', { body: { LastName: 'late' } })).status, 201)
    assert.equal((await untilOver(long, id, 'query')).numberRecordsProcessed, LONG_ROWS)
    assert.doesNotMatch((await long.call('GET', `/jobs/query/${id}/results`)).text, /^"late"/m)
  })
})
