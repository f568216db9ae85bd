import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Connection } from 'jsforce'
import { authorize, catchError } from '../../support/jsforce-client.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'
import type { WireClientName } from '../../support/wire-clients.ts'

/* How clients read refusals. */

let traps: TrapsClient
let as: TrapsClient['as']
let o: TrapsClient['o']
let conn: Connection
let id: string

before(async () => {
  traps = await openTrapsClient()
  ;({ as, o, conn } = traps)
  id = await o.create('Account', { Name: 'Acme', Key__c: 'one' })
})
beforeEach(() => {
  traps.calls.length = 0
})
after(() => traps.close())

/** Refusals of every kind: method, path, status, code, body. */
const REFUSALS: readonly (readonly [string, string, number, string, unknown?])[] = [
  ['GET', '/query?q=SELECT', 400, 'MALFORMED_QUERY'],
  ['GET', '/query?q=SELECT+Nope+FROM+Account', 400, 'INVALID_FIELD'],
  ['GET', '/query?q=SELECT+Id+FROM+Nope', 400, 'INVALID_TYPE'],
  ['GET', '/query/0r8000000000001AAA-200', 400, 'INVALID_QUERY_LOCATOR'],
  ['GET', '/sobjects/Nope', 404, 'NOT_FOUND'],
  ['GET', '/sobjects/Account/001000000000001AAA', 404, 'NOT_FOUND'],
  ['GET', '/nothing', 404, 'NOT_FOUND'],
  ['GET', '/services/data/v99.0/sobjects', 404, 'NOT_FOUND'],
  ['GET', '/services/data/v20.0/sobjects', 410, 'GONE'],
  ['DELETE', '/sobjects/Account/001000000000001AAA', 404, 'INVALID_CROSS_REFERENCE_KEY'],
  ['DELETE', '/sobjects/Account', 405, 'METHOD_NOT_ALLOWED'],
  ['PUT', '/sobjects', 405, 'METHOD_NOT_ALLOWED', {}],
  ['POST', '/sobjects/Account', 400, 'REQUIRED_FIELD_MISSING', {}],
  ['POST', '/sobjects/Account', 400, 'INVALID_FIELD', { Name: 'a', Nope: 1 }],
  ['POST', '/sobjects/Account', 400, 'DUPLICATE_VALUE', { Name: 'a', Key__c: 'one' }],
  ['POST', '/sobjects/Account', 400, 'STRING_TOO_LONG', { Name: 'a'.repeat(256) }],
  ['POST', '/sobjects/Account', 400, 'JSON_PARSER_ERROR', Buffer.from('{"Name"')],
  ['POST', '/sobjects/Account', 400, 'JSON_PARSER_ERROR', Buffer.from('')],
]

// 7
for (const [title, name] of [
  ['simple-salesforce', 'simpleSalesforce'],
  ['go-salesforce', 'goSalesforce'],
  ['Airbyte', 'airbyte'],
  ['restforce', 'restforce'],
] as const satisfies readonly (readonly [string, WireClientName])[]) {
  test(`${title}: the body of every refusal is an array of errors, in JSON`, async () => {
    for (const [method, path, status, errorCode, body] of REFUSALS) {
      const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
      const answer = await as(name).send(method, path, sent)
      const what = `${method} ${path.slice(0, 60)}: ${answer.text}`
      assert.equal(answer.status, status, what)
      assert.equal(answer.headers['content-type'], 'application/json;charset=UTF-8', what)
      assert.ok(Array.isArray(answer.body) && answer.body.length === 1, what)
      const [error] = answer.body
      assert.deepEqual(Object.keys(error), ['message', 'errorCode', 'fields'], what)
      assert.equal(error.errorCode, errorCode, what)
      // restforce makes a class of the code.
      assert.match(error.errorCode, /^[A-Z_]+$/)
      assert.ok(typeof error.message === 'string' && error.message !== '', what)
      assert.ok(Array.isArray(error.fields), what)
    }
  })
}

// 8
test('all clients: a token that has ended answers 401 with INVALID_SESSION_ID first', async () => {
  for (const name of ['simpleSalesforce', 'airbyte', 'goSalesforce', 'n8n', 'tap', 'restforce'] as const)
    for (const path of ['/query/?q=SELECT+Id+FROM+User', '/sobjects/Nope', '/limits']) {
      const { status, body } = await as(name, `${o.org.id.slice(0, 15)}!ended`).get(path)
      assert.deepEqual(
        [status, body],
        [401, [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID', fields: [] }]],
      )
    }
})

// 8
test('jsforce: refreshes at that 401, once, and repeats the call', async () => {
  let refreshed = 0
  const stale = traps.connect({
    instanceUrl: traps.loginUrl,
    accessToken: 'ended',
    refreshFn: async (_connection, done) => {
      refreshed++
      const fresh = traps.connect()
      await authorize(fresh)
      done(null, fresh.accessToken!)
    },
  })
  assert.equal((await stale.query('SELECT Id FROM Organization')).totalSize, 1)
  assert.equal(refreshed, 1)
  assert.deepEqual(
    traps.calls.map(({ status }) => status),
    [401, 200, 200],
  )
})

// 8
test('nforce: the identity and userinfo refuse a token that has ended in the words Bad_OAuth_Token', async () => {
  const client = as('nforce', 'ended')
  for (const path of [`/id/${o.org.id}/${o.userId}`, '/services/oauth2/userinfo']) {
    const { status, text } = await client.get(path)
    assert.deepEqual([status, text], [403, 'Bad_OAuth_Token'], path)
  }
})

// 26
test('sf: an invalid query is refused with the word that it looks for', async () => {
  const malformed = [
    'SELECT',
    'SELECT Id, FROM Account',
    'SELEC Id FROM Account',
    "SELECT Id FROM Account WHERE Name = 'x",
  ]
  for (const text of malformed) {
    const answer = await as('sf').get(`/query?q=${encodeURIComponent(text)}`)
    assert.equal(answer.status, 400)
    assert.match(answer.text, /MALFORMED_QUERY/)
    assert.equal((await catchError(conn.query(text))).name, 'MALFORMED_QUERY')
  }
})

// 28
test('jsforce: what is refused is sent once, for no refusal has a status that it repeats', async () => {
  for (const [method, path, status, code, body] of REFUSALS) {
    if (Buffer.isBuffer(body)) continue
    traps.calls.length = 0
    const url = path.startsWith('/services') ? path : `/services/data/v64.0${path}`
    const request = { method: method as 'GET', url, body: JSON.stringify(body) }
    const { name } = await catchError(conn.request(request))
    assert.equal(name, code)
    assert.deepEqual(
      traps.calls.map((call) => call.status),
      [status],
      path,
    )
  }
})

// 28
test('jsforce: what is over a limit is sent once', async () => {
  const limited = await openTrapsClient({ allocation: '1' })
  try {
    await limited.conn.query('SELECT Id FROM User')
    limited.calls.length = 0
    const { name } = await catchError(limited.conn.query('SELECT Id FROM User'))
    assert.equal(name, 'REQUEST_LIMIT_EXCEEDED')
    assert.deepEqual(
      limited.calls.map(({ status }) => status),
      [403],
    )
  } finally {
    await limited.close()
  }
})

// 29
test('jsforce: no answer of a data address is a page, whatever the client would take', async () => {
  const wanted = { Accept: 'text/html' }
  for (const [method, path, status, , body] of REFUSALS) {
    const answer = await as('jsforce').send(method, path, { body, headers: wanted })
    assert.deepEqual(
      [answer.status, answer.headers['content-type']],
      [status, 'application/json;charset=UTF-8'],
      path,
    )
  }
  // The address of the server itself leads people to the console, and nobody else.
  assert.equal((await as('jsforce').get('//', { Accept: 'application/json' })).status, 404)
  const nowhere = ['/services', '/services/', '/services/nothing', '/index.html', '/%zz']
  for (const path of nowhere) {
    const answer = await as('jsforce').get(`/${path}`, wanted)
    assert.deepEqual(
      [answer.status, answer.headers['content-type']],
      [404, 'application/json;charset=UTF-8'],
      path,
    )
  }
  assert.equal((await as('jsforce').get(`/sobjects/Account/${id}`, wanted)).body.Name, 'Acme')
})
