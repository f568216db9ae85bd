import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { fetchNames, fetchResult } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

// docs/reference/api/custom-resources.md

const ECHO = `
export default {
  path: '/echo/:first/*',
  GET: ({ params, query }) => ({ params, query }),
  POST: (request) => ({ ...request, bytes: [...request.bytes] }),
}`

const VALUES = `
const VALUES = {
  text: () => '001',
  nothing: () => undefined,
  null: () => null,
  number: () => 3,
  teapot: () => new Response('short and stout', { status: 418, headers: { 'X-Pot': 'tea', 'Content-Length': '3' } }),
  bytes: () => new Response(new Uint8Array([0, 255, 13]), { headers: { 'Content-Type': 'image/png' } }),
  gone: () => { throw new Response('no') },
}
export default { path: '/values/:name', GET: ({ params }) => VALUES[params.name]() }`

const WRITES = `
import { HttpError, OrgError } from 'objectry'
const HOW = {
  async create(org) { return org.create('Account', [{ Name: 'made' }]) },
  async thrown(org) { await org.create('Account', [{ Name: 'thrown' }]); throw new Error('no luck') },
  async http(org) { await org.create('Account', [{ Name: 'http' }]); throw new HttpError(409, 'there is one') },
  async returned(org) {
    await org.create('Account', [{ Name: 'returned' }])
    return Response.json({ error: 'said so' }, { status: 400 })
  },
  async refused(org) { return org.create('Account', [{}]) },
  async caught(org) {
    await org.create('Account', [{ Name: 'before' }])
    try { await org.create('Account', [{}]) } catch (error) {
      return { isOrgError: error instanceof OrgError, code: error.errorCode, fields: error.fields }
    }
  },
  async together(org) {
    const made = await Promise.all(['one', 'two', 'three'].map((Name) => org.create('Account', [{ Name }])))
    return made.length
  },
  async later(org) { void org.create('Account', [{ Name: 'too late' }]); return 'done' },
  async wrong(org) { return org.create('Account', 'none') },
  async unknown(org) { return org.drop('Account') },
  async ill(org) { return org.create('Account', [{ Name: () => 1 }]) },
}
export default { path: '/writes/:how', POST: ({ params }, org) => HOW[params.how](org) }`

const READS = `
export default {
  path: '/reads',
  async POST({ body }, org) {
    const record = await org.read(...body)
    return record === undefined ? 'none' : record
  },
}`

describe('a custom resource', () => {
  let o: TestOrg
  const custom = (method: string, path: string, sent?: Parameters<TestOrg['call']>[2]) =>
    o.call(method, `/services/customrest${path}`, sent)
  const post = (path: string, body?: unknown): Promise<Answer> => custom('POST', path, { body })

  before(async () => {
    o = await openOrg({
      deployment: writeDeployment({
        'resources/echo.js': ECHO,
        'resources/values.js': VALUES,
        'resources/writes.js': WRITES,
        'resources/reads.js': READS,
        'resources/asks.js': "export default { path: '/asks', POST: ({ body }, org) => org.query(body) }",
        'resources/exact.js': "export default { path: '/exact', POST: () => 'exact' }",
        'resources/nested.js': "export default { path: '/exact/nested', GET: () => 'nested' }",
        'resources/rest.js': "export default { path: '/rest/*', GET: ({ params }) => params['*'] }",
        'resources/small.js':
          "export default { path: '/small', maxBytes: 20, POST: ({ bytes }) => bytes.length }",
        'resources/form.js':
          "export default { path: '/form', types: ['application/x-www-form-urlencoded'], POST: ({ bytes }) => new TextDecoder().decode(bytes) }",
        'resources/alone.js': `export default { path: '/alone', transaction: false,
          async POST(_request, org) { await org.create('Account', [{ Name: 'alone' }]); throw new Error('after') } }`,
      }),
    })
  })

  test('is reached below both of its prefixes', async () => {
    assert.equal((await o.call('GET', '/services/customrest/rest/a')).body, 'a')
    assert.equal((await o.call('GET', '/services/apexrest/rest/a')).body, 'a')
  })

  test('is not found where its prefix is percent-encoded', async () => {
    const answer = await o.call('GET', '/services/%63ustomrest/rest/a')
    assertRefused(answer, 404, 'NOT_FOUND', 'Could not find a match for URL')
  })

  test('is handed the parts of its path, decoded, and the query', async () => {
    const { body } = await custom('GET', '/echo/a%20b/c/d%2Fe?x=1&y=%C3%A9&x=2')
    assert.deepEqual(body, { params: { first: 'a b', '*': 'c/d/e' }, query: { x: '2', y: 'é' } })
  })

  test('is handed headers, raw bytes and parsed JSON, and no token', async () => {
    const { body } = await custom('POST', '/echo/a', {
      text: '{"é":1}',
      headers: { 'x-own': 'yes', cookie: 'a=b' },
    })
    assert.equal(body.method, 'POST')
    assert.equal(body.headers['x-own'], 'yes')
    assert.equal(body.headers.authorization, undefined)
    assert.equal(body.headers.cookie, undefined)
    assert.deepEqual(body.bytes, [...Buffer.from('{"é":1}')])
    assert.deepEqual(body.body, { é: 1 })
  })

  test('with * at the end has what is below its path and the path itself, without it the path alone', async () => {
    assert.equal((await custom('GET', '/rest/a/b')).body, 'a/b')
    assert.equal((await custom('GET', '/rest/')).body, '')
    assert.equal((await custom('GET', '/rest')).body, '')
    assert.equal((await post('/exact/')).body, 'exact')
    assertRefused(await post('/exact/longer'), 404, 'NOT_FOUND', 'Could not find a match for URL')
  })

  test('is the most specific one, and case matters', async () => {
    assert.equal((await custom('GET', '/exact/nested')).body, 'nested')
    assertRefused(await custom('GET', '/Exact/nested'), 404, 'NOT_FOUND', 'Could not find a match for URL')
  })

  test('that does not exist is 404, and so is the bare prefix', async () => {
    for (const path of ['/nothing', '', '/']) {
      assertRefused(await custom('GET', path), 404, 'NOT_FOUND', 'Could not find a match for URL')
    }
  })

  test('without the verb is 405 and names those that it has', async () => {
    const answer = await custom('PUT', '/exact')
    assertRefused(answer, 405, 'METHOD_NOT_ALLOWED', "HTTP Method 'PUT' not allowed. Allowed are POST")
    assert.equal(answer.headers.allow, 'POST')
  })

  test('may be called with POST and the verb as a parameter', async () => {
    assert.equal((await custom('POST', '/echo/a?_HttpMethod=PUT')).status, 405)
  })

  test('answers HEAD as GET without a body', async () => {
    const answer = await custom('HEAD', '/rest/a')
    assert.deepEqual([answer.status, answer.text], [200, ''])
  })

  test('refuses invalid JSON with its location, and a body of another type', async () => {
    assertRefused(
      await custom('POST', '/exact', { text: '{"a":' }),
      400,
      'JSON_PARSER_ERROR',
      /line:1, column:/,
    )
    const typed = (type: string, path = '/exact') =>
      custom('POST', path, { text: 'a=b', headers: { 'content-type': type } })
    assertRefused(
      await typed('text/csv'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Content type text/csv is not supported',
    )
    assert.equal((await typed('application/xml')).body, 'exact')
    assert.equal((await typed('application/x-www-form-urlencoded', '/form')).body, 'a=b')
  })

  test('refuses a body that is larger than it takes, packed or unpacked', async () => {
    const sized = (text: string | Buffer, headers = {}) => custom('POST', '/small', { text, headers })
    assert.equal((await sized('"123456789012345678"')).body, 20)
    const message = 'The request body is larger than 20 bytes.'
    assertRefused(await sized('"1234567890123456789"'), 413, 'REQUEST_BODY_TOO_LARGE', message)
    const packed = deflateSync(JSON.stringify('a'.repeat(100)))
    assert.ok(packed.length <= 20)
    assertRefused(
      await sized(packed, { 'content-encoding': 'deflate' }),
      413,
      'REQUEST_BODY_TOO_LARGE',
      message,
    )
  })

  test('gives what it returns as JSON, nothing as 200 without a body, and a Response as it is', async () => {
    const value = async (name: string) => {
      const { status, text } = await custom('GET', `/values/${name}`)
      return [status, text]
    }
    assert.deepEqual(await value('text'), [200, '"001"'])
    assert.deepEqual(await value('nothing'), [200, ''])
    assert.deepEqual(await value('null'), [200, 'null'])
    assert.deepEqual(await value('number'), [200, '3'])
    const teapot = await custom('GET', '/values/teapot')
    assert.deepEqual([teapot.status, teapot.text, teapot.headers['x-pot']], [418, 'short and stout', 'tea'])
    const bytes = await o.server.inject({
      url: '/services/customrest/values/bytes',
      headers: { authorization: `Bearer ${o.token}` },
    })
    assert.deepEqual([...bytes.rawPayload], [0, 255, 13])
    assert.equal(bytes.headers['content-type'], 'image/png')
  })

  test('that throws is 500 with the error, the handler and the line', async () => {
    assertRefused(
      await post('/writes/thrown'),
      500,
      'APEX_ERROR',
      'Error: no luck\n\nClass.writes.POST: line 5, column 80',
    )
    assertRefused(
      await custom('GET', '/values/absent'),
      500,
      'APEX_ERROR',
      /^TypeError: .*Class.values.GET: line 11/s,
    )
  })

  test('answers an HttpError with its status and {error}', async () => {
    const answer = await post('/writes/http')
    assert.deepEqual([answer.status, answer.body], [409, { error: 'there is one' }])
  })

  test('commits when it returns, whatever the status, and takes everything back when it throws', async () => {
    await post('/writes/create')
    await post('/writes/thrown')
    await post('/writes/http')
    await post('/writes/returned')
    const names = await fetchNames(
      o,
      "Account WHERE Name IN ('made', 'thrown', 'http', 'returned') ORDER BY Name",
    )
    assert.deepEqual(names, ['made', 'returned'])
  })

  test('of transaction: false commits each operation by itself', async () => {
    assert.equal((await post('/alone')).status, 500)
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'alone'"), ['alone'])
  })

  test('may catch what the org refuses and go on', async () => {
    const { body } = await post('/writes/caught')
    assert.deepEqual(body, { isOrgError: true, code: 'REQUIRED_FIELD_MISSING', fields: ['Name'] })
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'before'"), ['before'])
  })

  test('that does not catch it is 500 and says what was refused', async () => {
    assertRefused(
      await post('/writes/refused'),
      500,
      'APEX_ERROR',
      'OrgError: REQUIRED_FIELD_MISSING, Required fields are missing: [Name]\n\nClass.writes.POST',
    )
  })

  test('may ask for several things at once: they are done one after the other in its transaction', async () => {
    assert.equal((await post('/writes/together')).body, 3)
    assert.equal((await fetchNames(o, "Account WHERE Name IN ('one', 'two', 'three')")).length, 3)
  })

  test('that asks for what the org does not have gets an error, and nothing else happens', async () => {
    for (const how of ['wrong', 'unknown', 'ill']) {
      const answer = await post(`/writes/${how}`)
      assertRefused(answer, 500, 'APEX_ERROR', /Class\.writes\.POST/)
      assert.equal((await post('/exact')).body, 'exact')
    }
  })

  test('that does not wait for a write has it in its transaction if it began, and nowhere else', async () => {
    assert.equal((await post('/writes/later')).body, 'done')
    const { totalSize } = await fetchResult(o, "SELECT Id FROM Account WHERE Name = 'too late'")
    assert.ok(totalSize <= 1)
  })

  test('reads a record by id or key, without its empty fields', async () => {
    const id = await o.create('Account', { Name: 'Read me', AccountNumber: '7' })
    const read = async (...args: unknown[]) => (await post('/reads', args)).body
    const { attributes, ...record } = await read('Account', id, ['Name', 'Phone'])
    assert.equal(attributes.type, 'Account')
    assert.deepEqual(record, { Id: id, Name: 'Read me' })
    assert.equal(await read('Account', '001000000000000AAA'), 'none')
    assert.equal((await read('User', { Username: 'admin@objectry.test' }, ['Id'])).Id, o.userId)
  })

  test('asks for records with all of their children, and those of their children', async () => {
    const top = await o.create('Account', { Name: 'Top' })
    const middle = await o.create('Account', { Name: 'Middle', ParentId: top })
    const makeContacts = async (accountId: string) => {
      const names = Array.from({ length: 400 }, (_, number) => `${number}`.padStart(3, '0'))
      for (const part of [names.slice(0, 200), names.slice(200)]) {
        const records = part.map((LastName) => ({
          attributes: { type: 'Contact' },
          LastName,
          AccountId: accountId,
        }))
        const { status } = await o.call('POST', '/composite/sobjects', { body: { records } })
        assert.equal(status, 200)
      }
      return names
    }
    const names = await makeContacts(top)
    await makeContacts(middle)
    const contacts = '(SELECT LastName FROM Contacts ORDER BY LastName)'
    const { body } = await post(
      '/asks',
      `SELECT ${contacts}, (SELECT ${contacts} FROM ChildAccounts) FROM Account WHERE Id = '${top}'`,
    )
    const [{ Contacts: own, ChildAccounts: below }] = body
    for (const { totalSize, done, records } of [own, below.records[0].Contacts]) {
      assert.deepEqual([totalSize, done], [400, true])
      const found = records.map((record: { LastName: string }) => record.LastName)
      assert.deepEqual(found, names)
    }
  })

  test('counts as one call', async () => {
    const counted = await openOrg({
      deployment: writeDeployment({ 'resources/a.js': "export default { path: '/a', GET: () => 1 }" }),
    })
    for (const calls of [1, 2]) {
      const { headers } = await counted.call('GET', '/services/customrest/a')
      assert.equal(headers['svc-limit-info'], `api-usage=${calls}/15000`)
    }
  })

  test('needs a token on the address of the org', async () => {
    const answer = await o.call('GET', '/services/customrest/rest/a', {
      headers: { authorization: 'Bearer 00Dnone' },
    })
    assertRefused(answer, 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
  })
})
