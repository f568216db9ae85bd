import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* Pages of other origins that call from a browser (CORS). */

const DEPLOYMENT = { 'resources/hello.ts': "export default { path: '/hello', GET: () => 'hello' }" }
const HOST = `${randomUUID()}.example.com`
const PUBLIC_URL = 'https://records.example.com'
const APP = 'https://app.example.com'
const LIMITS = '/services/data/v64.0/limits'
const HELLO = '/services/customrest/hello'

let o: TestOrg

before(async () => {
  o = await openOrg({
    deployment: writeDeployment(DEPLOYMENT),
    host: HOST,
    settings: { publicUrl: PUBLIC_URL },
  })
  const body = { origin: `${APP}/` }
  assert.equal((await o.call('POST', '/setup/orgs/current/origins', { body })).status, 204)
})

interface QueryContext {
  readonly method?: string
  readonly token?: string | undefined
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly server?: TestOrg['server']
}

async function ask(url: string, origin: string, queryContext: QueryContext = {}): Promise<Answer> {
  const { method = 'GET', host = HOST, headers, server = o.server } = queryContext
  const token = 'token' in queryContext ? queryContext.token : o.token
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return makeAnswer(
    await server.inject({
      method: method as 'GET',
      url,
      headers: { host, origin, ...authorization, ...headers },
    }),
  )
}

const allowed = ({ headers }: Answer) => headers['access-control-allow-origin']

const assertForbidden = (answer: Answer) => {
  assertRefused(answer, 403, 'FORBIDDEN', /origin is not on the list/)
  assert.equal(allowed(answer), undefined)
}

describe('a page of an origin that the org allows', () => {
  test('calls the data API and custom resources, and reads the answers', async () => {
    for (const url of [LIMITS, HELLO, '/services/data']) {
      const answer = await ask(url, APP)
      assert.deepEqual([answer.status, allowed(answer)], [200, APP], url)
      assert.match(String(answer.headers.vary), /^Origin/)
      assert.match(String(answer.headers['access-control-expose-headers']), /Svc-Limit-Info/)
    }
  })

  test('reads also why it was refused', async () => {
    const bare = await ask(LIMITS, APP, { token: undefined })
    assert.deepEqual([bare.status, allowed(bare)], [401, APP])
    const missing = await ask('/services/data/v64.0/nothing', APP)
    assert.deepEqual([missing.status, allowed(missing)], [404, APP])
  })

  test('learns by a preflight, which needs no token, what it may send', async () => {
    const headers = {
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
    }
    for (const url of [`/services/data/v64.0/sobjects/Account/001OB0000000001`, HELLO]) {
      const answer = await ask(url, APP, { method: 'OPTIONS', token: undefined, headers })
      assert.deepEqual([answer.status, allowed(answer), answer.text], [204, APP, ''])
      assert.match(String(answer.headers['access-control-allow-methods']), /PATCH/)
      assert.equal(answer.headers['access-control-allow-headers'], 'authorization,content-type')
    }
  })

  test('reaches the public site of the org', async () => {
    const answer = await ask(HELLO, APP, { server: o.site, token: undefined })
    assert.deepEqual([answer.status, allowed(answer)], [403, APP])
    assert.match(answer.text, /Apex class/)
  })
})

test('pages of the server itself need no list', async () => {
  for (const origin of [`https://${HOST}`, `http://${HOST}`, PUBLIC_URL]) {
    const answer = await ask(LIMITS, origin)
    assert.deepEqual([answer.status, allowed(answer)], [200, origin])
  }
  const withPort = await ask(LIMITS, 'http://127.0.0.1:8080', { host: '127.0.0.1:8080' })
  assert.equal(withPort.status, 200)
})

describe('a page of another origin', () => {
  const STRANGERS = [
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.example',
    'https://xapp.example.com',
    'https://sub.app.example.com',
    'null',
    '',
    'x'.repeat(100_000),
  ]

  test('is refused, and reads nothing', async () => {
    for (const origin of STRANGERS) {
      for (const url of [LIMITS, HELLO, '/services/data']) assertForbidden(await ask(url, origin))
      assertForbidden(await ask(LIMITS, origin, { method: 'OPTIONS', token: undefined }))
      assertForbidden(await ask(HELLO, origin, { server: o.site, token: undefined }))
    }
  })

  test('writes nothing', async () => {
    const call = () => o.call('GET', '/query?q=SELECT+COUNT()+FROM+Account')
    const { totalSize } = (await call()).body
    const answer = await o.server.inject({
      method: 'POST',
      url: '/services/data/v64.0/sobjects/Account',
      headers: { host: HOST, origin: 'https://evil.example', authorization: `Bearer ${o.token}` },
      payload: '{"Name":"x"}',
    })
    assert.equal(answer.statusCode, 403)
    assert.equal((await call()).body.totalSize, totalSize)
  })

  test('gets nothing by the list of another org', async () => {
    const other = await openOrg()
    const origin = `https://${randomUUID()}.example.com`
    await other.call('POST', '/setup/orgs/current/origins', { body: { origin } })
    assertForbidden(await ask(LIMITS, origin))
    assertForbidden(await ask(LIMITS, origin, { host: '127.0.0.1:8080' }))
    const { status } = await ask(LIMITS, origin, {
      host: '127.0.0.1:8080',
      token: other.token,
      server: other.server,
    })
    assert.equal(status, 200)
    const body = { origin: APP }
    assert.equal((await other.call('DELETE', `/setup/orgs/current/origins?origin=${APP}`)).status, 404)
    assert.equal((await other.call('POST', '/setup/orgs/current/origins', { body })).status, 204)
  })
})

describe('the list of origins', () => {
  const path = '/setup/orgs/current/origins'
  const add = (origin: unknown) => o.call('POST', path, { body: { origin } })

  test('takes origins, also with a star for all names below a host', async () => {
    assert.equal((await add('HTTPS://*.Apps.example.com:443')).status, 204)
    assert.equal((await add('chrome-extension://abcdef')).status, 204)
    assert.deepEqual((await o.call('GET', path)).body, [
      APP,
      'https://*.apps.example.com',
      'chrome-extension://abcdef',
    ])
    assert.equal((await ask(LIMITS, 'https://one.two.apps.example.com')).status, 200)
    for (const origin of [
      'https://apps.example.com',
      'https://.apps.example.com',
      'http://x.apps.example.com',
    ]) {
      assertForbidden(await ask(LIMITS, origin))
    }
    assert.equal((await o.call('DELETE', `${path}?origin=https://*.apps.example.com`)).status, 204)
    assertForbidden(await ask(LIMITS, 'https://one.apps.example.com'))
  })

  test('takes nothing else', async () => {
    for (const origin of [
      '*',
      'https://*',
      'null',
      'app.example.com',
      `${APP}/path`,
      'https://a@b',
      '',
      5,
      null,
    ]) {
      assert.equal((await add(origin)).status, 400, String(origin))
    }
    assertRefused(await o.call('DELETE', `${path}?origin=https://nobody.example`), 404, 'NOT_FOUND', /not on/)
    assert.equal((await o.call('DELETE', path)).status, 400)
  })
})

test('OPTIONS of what is no browser is answered as it was', async () => {
  const answer = await o.server.inject({ method: 'OPTIONS', url: LIMITS, headers: { host: HOST } })
  assert.equal(answer.statusCode, 404)
})
