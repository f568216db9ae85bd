import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setupRoutes } from '../../src/admin/setup-routes.ts'
import { sql } from '../../src/base/sql.ts'
import { classicRoutes } from '../../src/bulk/classic/classic-routes.ts'
import type { Method } from '../../src/calls/route.ts'
import { SERVER_URLS } from '../../src/http/endpoints.ts'
import { ROUTES } from '../../src/resources/routes.ts'
import { queryPath } from '../support/ask.ts'
import { textOf as elementOf, openClassic, runBatch } from '../support/classic-bulk.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { assertFault, callSoap, textOf } from '../support/soap.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/*
 * Every route of the endpoints that take a token, with every kind of caller: without a token, with an expired one, with one
 * that was revoked, with one of another org, with one for something else, and with one of somebody to whom nothing was
 * granted. A route without a row fails here.
 */

const HOST = 'matrix.test'
const CUSTOM = '/services/customrest/hello'
const DEPLOYMENT = { 'resources/hello.ts': "export default { path: '/hello', GET: () => 'hello' }" }
const EXPIRES = 60

/** The answer to somebody without rights, with a body where the status alone would say too little. */
interface Row {
  readonly url: string
  readonly body?: unknown
  readonly answer: readonly [status: number, says?: RegExp]
}

const NOT_FOUND = [404, /"errorCode":"NOT_FOUND"/] as const
const NO_TYPE = [400, /INVALID_TYPE/] as const
const ACCOUNT = '001OB0000000001AAA'
const JOB = '750OB0000000001AAA'
const CONTACT = '003OB0000000001'
const RECORD = { attributes: { type: 'Account', referenceId: 'a' }, Name: 'x' }
const data = (path: string) => `/services/data/v64.0${path}`
const NO_RIGHT = [403, /You do not have permission to view this record/] as const

const step = { method: 'GET', url: data('/sobjects/Account'), referenceId: 'a' }

const ROWS: Readonly<Record<string, Row>> = {
  'GET /': { url: '/', answer: [200] },
  'GET /sobjects': { url: '/sobjects', answer: [200, /^(?!.*"Account")/] },
  'GET /sobjects/:object': { url: '/sobjects/Account', answer: NOT_FOUND },
  'GET /sobjects/:object/describe': { url: '/sobjects/Account/describe', answer: NOT_FOUND },
  'GET /sobjects/:event/eventSchema': { url: '/sobjects/AccountChangeEvent/eventSchema', answer: NOT_FOUND },
  'GET /event/eventSchema/:schemaId': {
    url: '/event/eventSchema/K98aAtiNFBjA-PJlcvaQ2g',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/updated': { url: '/sobjects/Account/updated', answer: NOT_FOUND },
  'GET /sobjects/:object/deleted': { url: '/sobjects/Account/deleted', answer: NOT_FOUND },
  'GET /describe/layouts': { url: '/describe/layouts', answer: [200, /"layouts":\[\]/] },
  'GET /sobjects/Global/describe/layouts': {
    url: '/sobjects/Global/describe/layouts',
    answer: [200, /"layouts":\[\]/],
  },
  'GET /sobjects/:object/describe/layouts': {
    url: '/sobjects/Account/describe/layouts',
    answer: NOT_FOUND,
  },
  'GET /sobjects/User/:id/password': { url: '/sobjects/User/005000000000001AAA/password', answer: NO_RIGHT },
  'POST /sobjects/User/:id/password': {
    url: '/sobjects/User/005000000000001AAA/password',
    body: { NewPassword: 'taken-over' },
    answer: NO_RIGHT,
  },
  'DELETE /sobjects/User/:id/password': {
    url: '/sobjects/User/005000000000001AAA/password',
    answer: NO_RIGHT,
  },
  'POST /sobjects/StreamingChannel/:id/push': {
    url: '/sobjects/StreamingChannel/0M6000000000001AAA/push',
    body: { pushEvents: [{ payload: 'taken-over' }] },
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/describe/namedLayouts/:name': {
    url: '/sobjects/User/describe/namedLayouts/UserAlt',
    answer: [200, /"layouts":\[\{/],
  },
  'GET /sobjects/:object/describe/layouts/:recordTypeId': {
    url: '/sobjects/Account/describe/layouts/012000000000000AAA',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/describe/compactLayouts': {
    url: '/sobjects/Account/describe/compactLayouts',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/describe/compactLayouts/primary': {
    url: '/sobjects/Account/describe/compactLayouts/primary',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/defaultValues': { url: '/sobjects/Account/defaultValues', answer: NOT_FOUND },
  'GET /sobjects/:object/listviews': { url: '/sobjects/Account/listviews', answer: NOT_FOUND },
  'GET /sobjects/:object/listviews/recent': { url: '/sobjects/Account/listviews/recent', answer: NOT_FOUND },
  'GET /sobjects/:object/listviews/:view': {
    url: '/sobjects/Account/listviews/AllAccounts',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/listviews/:view/describe': {
    url: '/sobjects/Account/listviews/AllAccounts/describe',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/listviews/:view/results': {
    url: '/sobjects/Account/listviews/AllAccounts/results',
    answer: NOT_FOUND,
  },
  'GET /compactLayouts': { url: '/compactLayouts?q=Account', answer: NO_TYPE },
  'GET /sobjects/:object/describe/approvalLayouts': {
    url: '/sobjects/Account/describe/approvalLayouts',
    answer: NOT_FOUND,
  },
  'GET /sobjects/:object/quickActions': { url: '/sobjects/Account/quickActions', answer: NOT_FOUND },
  'GET /quickActions': { url: '/quickActions', answer: [200, /^\[\]$/] },
  'GET /tabs': { url: '/tabs', answer: [200, /^\[\]$/] },
  'GET /theme': { url: '/theme', answer: [200, /"themeItems":\[\]/] },
  'POST /sobjects/:object': { url: '/sobjects/Account', body: { Name: 'x' }, answer: NOT_FOUND },
  'GET /sobjects/:object/:id': { url: `/sobjects/Account/${ACCOUNT}`, answer: NOT_FOUND },
  'PATCH /sobjects/:object/:id': { url: `/sobjects/Account/${ACCOUNT}`, body: {}, answer: NOT_FOUND },
  'DELETE /sobjects/:object/:id': { url: `/sobjects/Account/${ACCOUNT}`, answer: NOT_FOUND },
  'GET /sobjects/:object/:key/:value': { url: '/sobjects/Account/Name/x', answer: NOT_FOUND },
  'PATCH /sobjects/:object/:key/:value': { url: '/sobjects/Account/Name/x', body: {}, answer: NOT_FOUND },
  'DELETE /sobjects/:object/:key/:value': { url: '/sobjects/Account/Name/x', answer: NOT_FOUND },
  'GET /sobjects/:object/:id/:first/*': {
    url: `/sobjects/Contact/${CONTACT}/Account/Owner`,
    answer: NOT_FOUND,
  },
  'PATCH /sobjects/:object/:id/:first/*': {
    url: `/sobjects/Contact/${CONTACT}/Account/Owner`,
    body: {},
    answer: NOT_FOUND,
  },
  'DELETE /sobjects/:object/:id/:first/*': {
    url: `/sobjects/Contact/${CONTACT}/Account/Owner`,
    answer: NOT_FOUND,
  },
  'POST /sobjects/:object/Id': { url: '/sobjects/Account/Id', body: {}, answer: NOT_FOUND },
  'PATCH /sobjects/:object/Id': { url: '/sobjects/Account/Id', body: {}, answer: NOT_FOUND },
  'GET /recent': { url: '/recent', answer: [200, /^\[\]$/] },
  'GET /query': { url: queryPath('SELECT Id FROM Account'), answer: NO_TYPE },
  'GET /queryAll': { url: queryPath('SELECT Id FROM Account').replace('query', 'queryAll'), answer: NO_TYPE },
  'GET /queryAll/:locator': { url: '/queryAll/LOCATOR', answer: [400, /INVALID_QUERY_LOCATOR/] },
  'GET /query/:locator': { url: '/query/LOCATOR', answer: [400, /INVALID_QUERY_LOCATOR/] },
  'GET /limits': { url: '/limits', answer: [200, /"DailyApiRequests"/] },
  'GET /limits/recordCount': {
    url: '/limits/recordCount?sObjects=Account',
    answer: [200, /"sObjects":\[\]/],
  },
  'GET /search': { url: '/search?q=FIND%20%7BAcme%7D', answer: [200, /"searchRecords":\[\]/] },
  'GET /search/scopeOrder': { url: '/search/scopeOrder', answer: [200, /^\[(?!.*"Account").*\]$/] },
  'GET /search/layout': { url: '/search/layout?q=Account', answer: NO_TYPE },
  'GET /search/suggestions': { url: '/search/suggestions?q=Acme&sobject=Account', answer: NO_TYPE },
  'GET /parameterizedSearch': { url: '/parameterizedSearch?q=Acme&sobject=Account', answer: NO_TYPE },
  'POST /parameterizedSearch': {
    url: '/parameterizedSearch',
    body: { q: 'Acme', sobjects: [{ name: 'Account' }] },
    answer: NO_TYPE,
  },
  'POST /composite/sobjects': {
    url: '/composite/sobjects',
    body: { records: [RECORD] },
    answer: NO_TYPE,
  },
  'PATCH /composite/sobjects': {
    url: '/composite/sobjects',
    body: { records: [{ ...RECORD, id: ACCOUNT }] },
    answer: NO_TYPE,
  },
  'DELETE /composite/sobjects': { url: `/composite/sobjects?ids=${ACCOUNT}`, answer: [200, /MALFORMED_ID/] },
  'PATCH /composite/sobjects/:object/:key': {
    url: '/composite/sobjects/Account/Name',
    body: { records: [RECORD] },
    answer: NO_TYPE,
  },
  'GET /composite/sobjects/:object': {
    url: `/composite/sobjects/Account?ids=${ACCOUNT}&fields=Id`,
    answer: NO_TYPE,
  },
  'POST /composite/sobjects/:object': {
    url: '/composite/sobjects/Account',
    body: { ids: [ACCOUNT], fields: ['Id'] },
    answer: NO_TYPE,
  },
  'POST /composite/tree/:object': {
    url: '/composite/tree/Account',
    body: { records: [RECORD] },
    answer: NO_TYPE,
  },
  'GET /composite': { url: '/composite', answer: [200] },
  'POST /composite': {
    url: '/composite',
    body: { compositeRequest: [step] },
    answer: [200, /"httpStatusCode":404/],
  },
  'POST /composite/batch': {
    url: '/composite/batch',
    body: { batchRequests: [{ method: 'GET', url: 'v64.0/sobjects/Account' }] },
    answer: [200, /"statusCode":404/],
  },
  'POST /composite/graph': {
    url: '/composite/graph',
    body: {
      graphs: [
        {
          graphId: 'g',
          compositeRequest: [
            { method: 'POST', url: data('/sobjects/Account'), referenceId: 'a', body: { Name: 'x' } },
          ],
        },
      ],
    },
    answer: [200, /NOT_FOUND.*"isSuccessful":false/],
  },
  'POST /query/assist': {
    url: '/query/assist',
    body: { query: 'SELECT Id FROM Account' },
    answer: [200, /INVALID_TYPE/],
  },
  'POST /undelete': {
    url: '/undelete',
    body: { ids: ['001000000000001AAA'] },
    answer: [200, /MALFORMED_ID|UNDELETE_FAILED|NOT_FOUND/],
  },
  'GET /preferences': { url: '/preferences', answer: [200, /"preferences":\{\}/] },
  'GET /preferences/:name': { url: '/preferences/theme', answer: NOT_FOUND },
  'PUT /preferences/:name': { url: '/preferences/theme', body: {}, answer: [204] },
  'DELETE /preferences/:name': { url: '/preferences/theme', answer: [204] },
  'GET /jobs': { url: '/jobs', answer: [200, /"ingest"/] },
  'POST /jobs/ingest': {
    url: '/jobs/ingest',
    body: { object: 'Account', operation: 'insert' },
    answer: [400, /INVALIDENTITY/],
  },
  'GET /jobs/ingest': { url: '/jobs/ingest', answer: [200, /"records":\[\]/] },
  'POST /jobs/query': {
    url: '/jobs/query',
    body: { operation: 'query', query: 'SELECT Id FROM Account' },
    answer: [400, /INVALIDENTITY/],
  },
  'GET /jobs/query': { url: '/jobs/query', answer: [200, /"records":\[\]/] },
  'PATCH /jobs/ingest/:id': { url: `/jobs/ingest/${JOB}`, body: { state: 'Aborted' }, answer: NOT_FOUND },
  'GET /jobs/ingest/:id': { url: `/jobs/ingest/${JOB}`, answer: NOT_FOUND },
  'DELETE /jobs/ingest/:id': { url: `/jobs/ingest/${JOB}`, answer: NOT_FOUND },
  'PUT /jobs/ingest/:id/batches': { url: `/jobs/ingest/${JOB}/batches`, answer: NOT_FOUND },
  'GET /jobs/ingest/:id/successfulResults': {
    url: `/jobs/ingest/${JOB}/successfulResults`,
    answer: NOT_FOUND,
  },
  'GET /jobs/ingest/:id/failedResults': { url: `/jobs/ingest/${JOB}/failedResults`, answer: NOT_FOUND },
  'GET /jobs/ingest/:id/unprocessedrecords': {
    url: `/jobs/ingest/${JOB}/unprocessedrecords`,
    answer: NOT_FOUND,
  },
  'GET /jobs/query/:id': { url: `/jobs/query/${JOB}`, answer: NOT_FOUND },
  'PATCH /jobs/query/:id': { url: `/jobs/query/${JOB}`, body: { state: 'Aborted' }, answer: NOT_FOUND },
  'DELETE /jobs/query/:id': { url: `/jobs/query/${JOB}`, answer: NOT_FOUND },
  'GET /jobs/query/:id/results': { url: `/jobs/query/${JOB}/results`, answer: NOT_FOUND },
  'GET /jobs/query/:id/resultPages': { url: `/jobs/query/${JOB}/resultPages`, answer: NOT_FOUND },
  'POST /metadata/deployRequest': {
    url: '/metadata/deployRequest',
    body: { deployOptions: {} },
    answer: [403, /INSUFFICIENT_ACCESS/],
  },
  'GET /metadata/deployRequest/:id': {
    url: '/metadata/deployRequest/0AfOB0000000001AAA',
    answer: [403, /INSUFFICIENT_ACCESS/],
  },
  'PATCH /metadata/deployRequest/:id': {
    url: '/metadata/deployRequest/0AfOB0000000001AAA',
    body: { deployResult: { status: 'Canceling' } },
    answer: [403, /INSUFFICIENT_ACCESS/],
  },
  'POST /graphql': {
    url: '/graphql',
    body: { query: '{ uiapi { query { Account { totalCount } } } }' },
    answer: [200, /FieldUndefined@\[uiapi\/query\/Account\]/],
  },
  'GET /tooling': { url: '/tooling', answer: [200] },
  'GET /tooling/query': {
    url: `/tooling${queryPath("SELECT Id FROM CustomField WHERE EntityDefinitionId = 'Account'")}`,
    answer: [200, /"records":\[\]/],
  },
  'GET /tooling/query/:locator': { url: '/tooling/query/LOCATOR', answer: [400, /INVALID_QUERY_LOCATOR/] },
  'GET /tooling/sobjects': { url: '/tooling/sobjects', answer: [200, /^(?!.*"ValidationRule")/] },
  'GET /tooling/sobjects/:object/describe': {
    url: '/tooling/sobjects/ValidationRule/describe',
    answer: NOT_FOUND,
  },
  'GET /tooling/sobjects/:object/:id': {
    url: '/tooling/sobjects/ValidationRule/03d000000000001AAA',
    answer: NOT_FOUND,
  },
  'POST /tooling/composite': {
    url: '/tooling/composite',
    body: { compositeRequest: [step] },
    answer: [200, /"httpStatusCode":404/],
  },
  'POST /tooling/composite/batch': {
    url: '/tooling/composite/batch',
    body: { batchRequests: [{ method: 'GET', url: 'v64.0/sobjects/Account' }] },
    answer: [200, /"statusCode":404/],
  },
  'GET /tooling/executeAnonymous': {
    url: '/tooling/executeAnonymous?anonymousBody=x',
    answer: [200, /"compiled":false/],
  },
  'GET /tooling/runTestsSynchronous': {
    url: '/tooling/runTestsSynchronous',
    answer: [200, /"numTestsRun":0/],
  },
  'POST /tooling/runTestsSynchronous': {
    url: '/tooling/runTestsSynchronous',
    body: {},
    answer: [200, /"numTestsRun":0/],
  },
  'GET /tooling/runTestsAsynchronous': { url: '/tooling/runTestsAsynchronous', answer: [200, /^"707/] },
  'POST /tooling/runTestsAsynchronous': {
    url: '/tooling/runTestsAsynchronous',
    body: {},
    answer: [200, /^"707/],
  },
}

let time = Date.UTC(2026, 0, 1)
let o: TestOrg
let expired: string
let revoked: string
let foreign: string
let narrowScope: string
let narrowProfile: string
let narrowId: string

before(async () => {
  o = await openOrg({ clock: () => new Date(time), deployment: writeDeployment(DEPLOYMENT) })
  await o.db.query(sql`update objectry.org set host = ${HOST} where id = ${o.org.id}`)
  o.services.hosts.forget()
  const { sessions } = o.services
  const given = { org: o.org, userId: o.userId, clientId: o.clientId, grantType: 'client_credentials' }
  expired = await sessions.issue({ ...given, scopes: ['api'], idleSeconds: EXPIRES })
  revoked = await sessions.issue({ ...given, scopes: ['api'] })
  narrowScope = await sessions.issue({ ...given, scopes: ['id', 'openid'] })
  time += 2 * EXPIRES * 1000
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await o.call('POST', '/services/oauth2/revoke', { text: `token=${revoked}`, headers })
  assert.equal(answer.status, 200)
  foreign = (await openOrg()).token
  const person = await addPerson(o, 'narrow')
  narrowProfile = person.org.token
  narrowId = person.id
})

function send(method: string, url: string, body: unknown, token: string | undefined): Promise<Answer> {
  const headers = { host: HOST, authorization: token === undefined ? '' : `Bearer ${token}` }
  return o.call(method, url, { body, headers })
}

const isUnknown = (answer: Answer, what: string) => {
  assert.equal(answer.status, 401, `${what}: ${answer.text}`)
  assert.deepEqual(answer.body, [
    { message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID', fields: [] },
  ])
}

async function checkTokens(method: string, url: string, body: unknown): Promise<void> {
  const bare = await o.server.inject({
    method: method as 'GET',
    url: /^\/(setup|services)\//.test(url) ? url : data(url),
    headers: { host: HOST },
  })
  assert.equal(bare.statusCode, 401)
  assert.equal(bare.json()[0].errorCode, 'INVALID_SESSION_ID')
  for (const [what, token] of Object.entries({ expired, revoked, foreign, unknown: `${o.token}x` })) {
    isUnknown(await send(method, url, body, token), what)
  }
  const narrow = await send(method, url, body, narrowScope)
  assert.equal(narrow.status, 403)
  assert.equal(narrow.body[0].errorCode, 'INSUFFICIENT_ACCESS')
}

describe('the data API', () => {
  for (const { method, path } of ROUTES) {
    const name = `${method} ${path}`
    test(name, async () => {
      const row = ROWS[name]
      assert.ok(row !== undefined, `${name} has no row`)
      const {
        url,
        body,
        answer: [status, says],
      } = row
      const located = url.replace('LOCATOR', '0r8OB0000000001AAA-200')
      await checkTokens(method, located, body)
      const answer = await send(method, located, body, narrowProfile)
      assert.equal(answer.status, status, answer.text)
      if (says !== undefined) assert.match(answer.text, says)
    })
  }

  test('has a row for nothing but its routes', () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      Object.keys(ROWS).filter((name) => !names.includes(name)),
      [],
    )
  })
})

test('the bytes of files are for callers who see the file', async () => {
  const version = await o.create('ContentVersion', { PathOnClient: 'a.txt', VersionData: 'aGVsbG8=' })
  const attachment = await o.create('Attachment', {
    ...{ Name: 'a', Body: 'aGVsbG8=' },
    ParentId: await o.create('Account', { Name: 'Acme' }),
  })
  for (const url of [
    `/sobjects/ContentVersion/${version}/VersionData`,
    `/sobjects/Attachment/${attachment}/Body`,
  ]) {
    await checkTokens('GET', data(url), undefined)
    assert.equal((await send('GET', data(url), undefined, narrowProfile)).status, 404)
    assert.equal((await send('GET', data(url), undefined, o.token)).text, 'hello')
  }
})

test('the admin API takes administrators only, on every route', async () => {
  const routes = setupRoutes({} as never)
  assert.ok(routes.length > 20)
  for (const { method, path } of routes) {
    const url = `/setup${path.replaceAll(/:(\w+)/g, 'x')}`
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    await checkTokens(method, url, body)
    const answer = await send(method, url, body, narrowProfile)
    assert.equal(answer.status, 403, `${method} ${path}`)
    assert.equal(answer.body[0].message, 'Only an administrator may set up an org')
  }
})

test('custom resources take only those to whom the resource is granted', async () => {
  await checkTokens('GET', CUSTOM, undefined)
  const answer = await send('GET', CUSTOM, undefined, narrowProfile)
  assert.equal(answer.status, 403)
  assert.equal(answer.body[0].message, 'You do not have access to the Apex class named: hello')
  assert.equal((await send('GET', CUSTOM, undefined, o.token)).body, 'hello')
})

test('SOAP takes valid tokens of this org alone, that are for data', async () => {
  const call = (operation: string, token?: string) =>
    callSoap(o, `<${operation}/>`, { token, headers: { host: HOST } })
  for (const operation of ['getUserInfo', 'getServerTimestamp', 'setPassword', 'logout', 'query']) {
    for (const token of [undefined, expired, revoked, foreign, `${o.token}x`]) {
      assertFault(await call(operation, token), 'INVALID_SESSION_ID')
    }
    assertFault(await call(operation, narrowScope), 'INSUFFICIENT_ACCESS')
  }
  assert.equal(textOf(await call('getUserInfo', narrowProfile), 'userId'), narrowId)
  const taken = `<setPassword><userId>${o.userId}</userId><password>taken-over</password></setPassword>`
  const answer = await callSoap(o, taken, { token: narrowProfile, headers: { host: HOST } })
  assertFault(answer, 'INSUFFICIENT_ACCESS', NO_RIGHT[1])
})

test('version 1 of bulk jobs takes valid tokens of this org alone, and hides the jobs of others, on every route', async () => {
  const call = async (
    method: Method,
    path: string,
    token?: string,
    text?: string,
  ): Promise<string | undefined> => {
    const { body } = await o.server.inject({
      method,
      url: path.replace('/async/', '/async/64.0/'),
      headers: {
        host: HOST,
        ...(text !== undefined && { 'content-type': 'text/xml' }),
        ...(token !== undefined && { 'x-sfdc-session': token }),
      },
      ...(text !== undefined && { payload: text }),
    })
    return elementOf(body, 'exceptionCode')
  }
  const job = await openClassic(o, { operation: 'query', object: 'Account' })
  const { id } = await runBatch(o, job, 'text/xml', 'SELECT Id FROM Account')
  for (const { method, path } of classicRoutes) {
    const url = path
      .replace(':job', job)
      .replace(':batch', id)
      .replace(':result', `752${id.slice(3, 15)}`)
    const text = method === 'POST' ? '<jobInfo><state>Closed</state></jobInfo>' : undefined
    for (const token of [undefined, expired, revoked, foreign, `${o.token}x`]) {
      assert.equal(await call(method, url, token, text), 'InvalidSessionId', path)
    }
    assert.equal(await call(method, url, narrowScope, text), 'InvalidUser', path)
    assert.equal(await call(method, url, narrowProfile, text), 'InvalidJob', path)
  }
  const create = '<jobInfo><operation>delete</operation><object>Account</object></jobInfo>'
  assert.equal(await call('POST', '/services/async/job', narrowProfile, create), 'InvalidEntity')
})

/** Endpoints that name the user of a token, whatever its scopes and rights. */
const WHO_AM_I = {
  userinfo: () => '/services/oauth2/userinfo',
  identity: (userId: string) => `/id/${o.org.id}/${userId}`,
} as const

/** Endpoints that take no bearer token: they are open, refuse everybody, or ask for a client or for the token itself. */
const WITHOUT_BEARER = ['versions', 'token', 'revoke', 'introspect', 'keys', 'discovery']

/** They have tests of their own in test/interface: single-access.test.ts, cometd.test.ts, change-events.test.ts. */
const TESTED_ELSEWHERE = ['singleAccess', 'cometd', 'eventStream']

test('every endpoint has its place here', () => {
  const known = [
    'data',
    'admin',
    'custom',
    'soap',
    'classicBulk',
    ...Object.keys(WHO_AM_I),
    ...TESTED_ELSEWHERE,
    ...WITHOUT_BEARER,
  ]
  assert.deepEqual([...new Set(SERVER_URLS.map(([, name]) => name))].sort(), known.sort())
})

async function whoAmI(url: string, token?: string): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return makeAnswer(await o.server.inject({ url, headers: { host: HOST, ...authorization } }))
}

for (const [endpoint, path] of Object.entries(WHO_AM_I)) {
  test(`the endpoint ${endpoint} names the user only to the bearer of a valid token of this org`, async () => {
    for (const token of [expired, revoked, foreign, `${o.token}x`]) {
      const answer = await whoAmI(path(o.userId), token)
      assert.deepEqual([answer.status, answer.text], [403, 'Bad_OAuth_Token'])
    }
    const bare = await whoAmI(path(o.userId))
    assert.deepEqual([bare.status, bare.text], [403, 'Missing_OAuth_Token'])
    for (const [userId, token] of [
      [o.userId, narrowScope],
      [narrowId, narrowProfile],
    ] as const) {
      const answer = await whoAmI(path(userId), token)
      assert.deepEqual([answer.status, answer.body.user_id], [200, userId])
    }
  })
}
