import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

let org: TestOrg
let id: string

before(async () => {
  org = await openOrg()
  id = await org.create('Account', { Name: 'Acme' })
})

const get = (path: string, headers?: Record<string, string>) => org.call('GET', path, { headers })
const DATA = '/services/data/v64.0'

describe('a path', () => {
  test('means the same with repeated slashes at its start and a trailing one', async () => {
    for (const path of [
      `/${DATA}/sobjects/Account/${id}`,
      `${DATA}/sobjects/Account/${id}/`,
      `${DATA}/sobjects/Account/${id}/?fields=Id`,
    ]) {
      const answer = await get(path)
      assert.deepEqual([answer.status, answer.body?.Id], [200, id], path)
    }
  })

  test('with doubled slashes elsewhere leads nowhere, unless the setting is lenient', async () => {
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    for (const path of [
      '/services/data//v64.0/limits',
      `${DATA}//sobjects/Account/describe`,
      `${DATA}/sobjects//Account`,
      `${DATA}/sobjects//describe`,
      `${DATA}/limits//`,
      '/services//oauth2/userinfo',
    ]) {
      assertRefused(await get(path), 404, 'NOT_FOUND', NO_RESOURCE)
      if (path.includes('sobjects//describe')) continue
      assert.equal((await lenient.call('GET', path)).status, 200, path)
    }
  })

  test('may end with .json after a resource or an id', async () => {
    assert.equal((await get(`/sobjects/Account/${id}.json?fields=Id`)).body.Id, id)
    assert.equal((await get('/sobjects.json')).body.encoding, 'UTF-8')
    assert.equal((await get('/sobjects/Account/describe.json')).body.name, 'Account')
  })

  test('that leads nowhere answers 404 in JSON, at every endpoint and with a token or without', async () => {
    for (const path of [
      '/services',
      '/services/data/v64.0/nothing',
      '/services/data/v64.0/sobjects/a/b/c/d',
      '/index.html',
      '/%zz',
      `${DATA}/sobjects/Account/%E0%A4%A`,
    ]) {
      const answer = makeAnswer(
        await org.server.inject({ url: path, headers: { authorization: `Bearer ${org.token}` } }),
      )
      assertRefused(answer, 404, 'NOT_FOUND', NO_RESOURCE)
      assert.equal(answer.headers['content-type'], 'application/json;charset=UTF-8')
    }
    const ask = async (url: string) => makeAnswer(await org.server.inject({ url }))
    assertRefused(await ask('/nowhere'), 404, 'NOT_FOUND', NO_RESOURCE)
    assertRefused(await ask('/'), 404, 'NOT_FOUND', /^Nothing is here: the API is at \/services\/data,/)
  })

  test('that is too long answers 414', async () => {
    const longest = `${DATA}/sobjects/Account/${id}?x=`
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    const ofLength = (length: number) => longest + 'x'.repeat(length - longest.length)
    assert.equal((await get(ofLength(15_000))).status, 200)
    const answer = await get(ofLength(16_385))
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.text],
      [414, 'text/html;charset=iso-8859-1', '<h1>Bad Message 414</h1><pre>reason: URI Too Long</pre>'],
    )
    const limits = (length: number) => `${DATA}/limits?x=${'x'.repeat(length)}`
    assert.equal((await lenient.call('GET', limits(32_000))).status, 200)
    assert.equal((await lenient.call('GET', limits(32_769))).status, 414)
  })

  test('headers that are too long together answer 431', async () => {
    const long = { 'x-long': 'y'.repeat(16_384) }
    const { status, headers, text } = await get('/limits', long)
    assert.deepEqual(
      [status, headers['content-type'], text],
      [
        431,
        'text/html;charset=iso-8859-1',
        '<h1>Bad Message 431</h1><pre>reason: Request Header Fields Too Large</pre>',
      ],
    )
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    assert.equal((await lenient.call('GET', '/limits', { headers: long })).status, 200)
  })
})

describe('a client that would rather have XML', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test('is refused where the answer is JSON, unless the setting is lenient', async () => {
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    for (const header of ['application/xml', 'text/xml, application/json;q=0.5', accept]) {
      assertRefused(
        await get('/limits', { accept: header }),
        406,
        'NOT_ACCEPTABLE',
        'The answer is JSON only. Send Accept: application/json.',
      )
      assert.equal((await lenient.call('GET', '/limits', { headers: { accept: header } })).status, 200)
    }
  })

  test('is answered where it takes JSON as well, and about bulk jobs', async () => {
    for (const header of ['application/json, application/xml', '*/*, application/xml', 'image/svg+xml, */*'])
      assert.equal((await get('/limits', { accept: header })).status, 200, header)
    assert.equal((await get('/jobs/ingest', { accept })).status, 200)
  })
})

describe('a method', () => {
  test('that a resource does not have answers 405 and names those it has', async () => {
    const cases: [string, string, string][] = [
      ['PUT', `/sobjects/Account/${id}`, 'DELETE,GET,HEAD,PATCH'],
      ['POST', `/sobjects/Account/${id}`, 'DELETE,GET,HEAD,PATCH'],
      ['POST', '/sobjects/Account/Name/x', 'DELETE,GET,HEAD,PATCH'],
      ['PATCH', '/sobjects/Account', 'GET,HEAD,POST'],
      ['DELETE', '/sobjects/Account/', 'GET,HEAD,POST'],
      ['DELETE', '/sobjects/Account/describe', 'GET,HEAD'],
      ['PATCH', '/sobjects/Account/describe/', 'GET,HEAD'],
      ['GET', '/sobjects/Account/Id', 'PATCH,POST'],
      ['POST', '/sobjects', 'GET,HEAD'],
      ['PUT', '/', 'GET,HEAD'],
    ]
    for (const [method, path, allowed] of cases) {
      const answer = await org.call(method, path, { body: {} })
      const message = `HTTP Method '${method}' not allowed. Allowed are ${allowed}`
      assertRefused(answer, 405, 'METHOD_NOT_ALLOWED', message)
      assert.equal(answer.headers.allow, allowed.replaceAll(',', ', '))
    }
  })

  test('may be named in _HttpMethod of a POST, and of nothing else', async () => {
    const post = (wanted: string) =>
      org.call('POST', `/sobjects/Account/${id}?_HttpMethod=${wanted}`, { body: { Phone: wanted } })
    assert.equal((await post('patch')).status, 204)
    assert.equal((await get(`/sobjects/Account/${id}`)).body.Phone, 'patch')
    for (const wanted of ['GET', 'HEAD', 'OPTIONS', 'nonsense', ''])
      assert.equal((await post(wanted)).status, 405)
    assert.equal((await get(`/sobjects/Account/${id}?_HttpMethod=DELETE`)).status, 200)
  })

  test('HEAD answers as GET without the body, for refusals too', async () => {
    for (const path of [
      '/sobjects',
      '/sobjects/Account/describe',
      `/sobjects/Account/${id}`,
      '/sobjects/Nothing__c/describe',
      '/',
    ]) {
      const whole = await get(path)
      const head = await org.call('HEAD', path)
      assert.deepEqual([head.status, head.text], [whole.status, ''])
      assert.equal(head.headers['content-type'], whole.headers['content-type'])
    }
  })
})

describe('a caller', () => {
  const as = async (headers: Record<string, string>) =>
    makeAnswer(await org.server.inject({ url: `${DATA}/sobjects`, headers }))

  test('without a token, or with one that is not ours, gets INVALID_SESSION_ID', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: `OAuth ${org.token}x` },
    ]) {
      const answer = await as(headers as Record<string, string>)
      assertRefused(answer, 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
      assert.equal(answer.headers['www-authenticate'], 'Token')
      assert.equal(answer.headers['content-type'], 'application/json;charset=UTF-8')
    }
  })

  test('with a token that has a blank, as django-salesforce tries, gets INVALID_SESSION_ID: a new one may be better', async () => {
    for (const authorization of [
      'OAuth abc def',
      `Bearer ${org.token} more`,
      `Bearer  ${org.token}\tmore `,
    ]) {
      assertRefused(await as({ authorization }), 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
    }
    assert.equal((await as({ authorization: `OAuth  ${org.token} ` })).status, 200)
  })

  test('with a header of another kind gets INVALID_AUTH_HEADER', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', org.token, `Token ${org.token}`, 'Basic YTpi']) {
      const answer = await as({ authorization })
      assertRefused(answer, 401, 'INVALID_AUTH_HEADER', 'INVALID_HEADER_TYPE')
      assert.equal(answer.headers['www-authenticate'], 'Token')
    }
  })

  test('may send headers that mean nothing here', async () => {
    const headers = {
      'sforce-call-options': 'client=x, defaultNamespace=ns',
      'sforce-auto-assign': 'FALSE',
      'svc-mru': 'updateMru=true',
      'svc-duplicate-rule-header': 'allowSave=true, includeRecordDetails=true, runAsCurrentUser=true',
      'sforce-duplicate-rule-header': 'nonsense',
      'x-chatter-entity-encoding': 'false',
      'x-sfdc-packageversion-ns': '1.0',
      'sforce-anything': 'at all',
    }
    const path = `/sobjects/Account/${id}`
    assert.equal((await get(path, headers)).status, 200)
    assert.equal((await org.call('PATCH', path, { body: { Phone: '1' }, headers })).status, 204)
    const step = { method: 'GET', url: `/services/data/v64.0${path}`, referenceId: 'a', httpHeaders: headers }
    const { body } = await org.call('POST', '/composite', { body: { compositeRequest: [step] } })
    assert.equal(body.compositeResponse[0].httpStatusCode, 200)
  })

  test('gets answers that nobody keeps', async () => {
    for (const path of [`/sobjects/Account/${id}`, '/sobjects/Account/none', '/services/data']) {
      const { headers } = await get(path)
      assert.equal(headers['cache-control'], 'no-cache,must-revalidate,max-age=0,no-store,private')
    }
  })
})

describe('X-PrettyPrint: 1', () => {
  test('indents the answer with " : " between name and value, and changes nothing else', async () => {
    const name = 'a "quoted": b\\c {"x":1}'
    const account = await org.create('Account', { Name: name })
    const path = `/sobjects/Account/${account}?fields=Name,BillingAddress`
    const compact = await get(path)
    const pretty = await get(path, { 'x-prettyprint': '1' })
    assert.deepEqual(pretty.body, compact.body)
    const url = `/services/data/v64.0/sobjects/Account/${account}`
    assert.equal(
      pretty.text,
      `{\n  "attributes" : {\n    "type" : "Account",\n    "url" : "${url}"\n  },\n  "Name" : ${JSON.stringify(name)},\n  "BillingAddress" : null,\n  "Id" : "${account}"\n}`,
    )
    assert.equal(compact.text, JSON.stringify(compact.body))
    const refusal = await get('/sobjects/Nothing__c', { 'x-prettyprint': '1' })
    assert.match(refusal.text, /^\[\n {2}\{\n {4}"message" : /)
  })

  test('is off with any other value', async () => {
    assert.doesNotMatch((await get(`/sobjects/Account/${id}`, { 'x-prettyprint': '0' })).text, /\n/)
  })
})

describe('the health of the server', () => {
  test('is asked without a token', async () => {
    const answer = makeAnswer(await org.server.inject({ url: '/healthz' }))
    assert.deepEqual([answer.status, answer.body], [200, { status: 'ok' }])
  })
})
