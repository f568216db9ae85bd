import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Browser, type BrowserClient, CALLBACK, openBrowserClient } from '../support/browser-client.ts'
import { FORM, postForm } from '../support/oauth.ts'
import { makeAnswer } from '../support/org.ts'

/* Browser sessions that an access token opens, as `sf org open` uses them. (docs/reference/api/tokens.md#single-access) */

const PATH = '/services/oauth2/singleaccess'

let now = new Date()
let o: BrowserClient
let clientId: string
/** The host of another org. */
let otherHost: string

before(async () => {
  otherHost = (await openBrowserClient({ clock: () => now })).host
  o = await openBrowserClient({ clock: () => now, settings: { sessionSeconds: '7200' } })
  clientId = await o.app({ scopes: ['api', 'web', 'full'] })
})

const issue = (scopes: readonly string[] = ['web'], idleSeconds?: number) =>
  o.services.sessions.issue({
    ...{ org: o.org, clientId, userId: o.userId, scopes, grantType: 'test', idleSeconds },
  })

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

async function ask(token: string | undefined, start?: string, method: 'GET' | 'POST' = 'POST') {
  const form = start === undefined ? '' : new URLSearchParams({ redirect_uri: start }).toString()
  const answer = await o.server.inject({
    method,
    url: method === 'GET' && form !== '' ? `${PATH}?${form}` : PATH,
    headers: {
      host: o.host,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(method === 'POST' && { 'content-type': FORM }),
    },
    ...(method === 'POST' && { payload: form }),
  })
  return makeAnswer(answer)
}

/** The path of the address that opens a session. */
async function fetchAddress(token: string, start?: string): Promise<string> {
  const { status, body, text } = await ask(token, start)
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(body), ['frontdoor_uri'])
  const { host, pathname, search } = new URL(body.frontdoor_uri)
  assert.equal(host, o.host)
  assert.ok(!body.frontdoor_uri.includes(token) && !body.frontdoor_uri.includes(token.split('!')[1]!))
  return pathname + search
}

async function enter(token: string): Promise<Browser> {
  const browser = o.open()
  const shown = await browser.get(await fetchAddress(token))
  assert.equal(shown.status, 303, shown.text)
  assert.ok(await isLoggedIn(browser))
  return browser
}

/** True if the browser is shown the account of its user. */
const isLoggedIn = async (browser: Browser) => /admin@objectry\.test/.test((await browser.get('/login')).text)

describe('single access (sf org open)', () => {
  test('gives an address that opens a browser session, by POST, by GET and with the token in a form', async () => {
    const token = await issue()
    await enter(token)
    assert.equal((await ask(token, '/login', 'GET')).status, 200)
    const byForm = await postForm(o, 'singleaccess', { access_token: token }, { host: o.host })
    assert.equal(byForm.status, 200, byForm.text)
    await enter(await issue(['full']))
  })

  test('leads to the start address, whose first slash may be left out', async () => {
    const token = await issue()
    for (const [start, location] of [
      ['/setup/connect?user_code=ABC', '/setup/connect?user_code=ABC'],
      ['setup/connect', '/setup/connect'],
      ['/a%20b?x=1%2F2', '/a%20b?x=1%2F2'],
      ['', '/console/'],
    ] as const) {
      const shown = await o.open().get(await fetchAddress(token, start))
      assert.deepEqual([shown.status, shown.location], [303, location])
    }
  })

  test('leads home where no page is named: to the console, or to the account where that is not served', async () => {
    const shown = await o.open().get(await fetchAddress(await issue()))
    assert.equal(shown.location, '/console/')
    const bare = await openBrowserClient({ settings: { console: 'off' } })
    const token = await bare.services.sessions.issue({
      ...{ org: bare.org, clientId: await bare.app({ scopes: ['web'] }), userId: bare.userId },
      ...{ scopes: ['web'], grantType: 'test' },
    })
    const url = `${PATH}?redirect_uri=`
    const headers = { host: bare.host, authorization: `Bearer ${token}` }
    const { body } = makeAnswer(await bare.server.inject({ method: 'GET', url, headers }))
    const { pathname, search } = new URL(body.frontdoor_uri)
    assert.equal((await bare.open().get(pathname + search)).location, '/login')
  })

  test('works once, even when it is opened twice at the same time', async () => {
    const address = await fetchAddress(await issue())
    const [first, second] = await Promise.all([o.open().get(address), o.open().get(address)])
    assert.deepEqual([first.status, second.status].sort(), [303, 400])
    const again = await o.open().get(address)
    assert.equal(again.status, 400)
    assert.equal(again.headers['set-cookie'], undefined)
  })

  test('is not used up by what only looks at it', async () => {
    const address = await fetchAddress(await issue())
    const looked = await o.server.inject({ method: 'HEAD', url: address, headers: { host: o.host } })
    assert.deepEqual([looked.statusCode, looked.headers['set-cookie']], [200, undefined])
    assert.equal((await o.open().post(address, {})).status, 405)
    assert.equal((await o.open().get(address)).status, 303)
  })

  test('works for a minute', async () => {
    const token = await issue()
    const [intime, late] = [await fetchAddress(token), await fetchAddress(token)]
    later(59)
    assert.equal((await o.open().get(intime)).status, 303)
    later(2)
    assert.equal((await o.open().get(late)).status, 400)
  })

  test('works at the host of its org only', async () => {
    const address = await fetchAddress(await issue())
    assert.equal((await o.open().get(address, { host: otherHost })).status, 400)
    assert.equal((await o.open().get(address)).status, 303)
  })

  test('needs the scope web or full, and a token that is valid', async () => {
    for (const scopes of [['api'], ['id', 'refresh_token'], []]) {
      const answer = await ask(await issue(scopes))
      assert.deepEqual([answer.status, answer.body.error], [403, 'insufficient_scope'])
    }
    const none = await ask(undefined)
    assert.deepEqual([none.status, none.text], [403, 'Missing_OAuth_Token'])
    const unknown = await ask(`${o.token}x`)
    assert.deepEqual([unknown.status, unknown.text], [403, 'Bad_OAuth_Token'])
    const revoked = await issue()
    await postForm(o, 'revoke', { token: revoked })
    assert.deepEqual((await ask(revoked)).text, 'Bad_OAuth_Token')
    const expired = await issue(['web'], 10)
    later(11)
    assert.deepEqual((await ask(expired)).text, 'Bad_OAuth_Token')
  })

  test('takes no token in an address', async () => {
    const answer = makeAnswer(
      await o.server.inject({ url: `${PATH}?access_token=${await issue()}`, headers: { host: o.host } }),
    )
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
  })

  test('refuses start addresses that lead elsewhere, however they are encoded', async () => {
    const token = await issue()
    const hostile = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/a//evil.example',
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      '/%2Fevil.example',
      '%2F%2Fevil.example',
      '/%5Cevil.example',
      '/%255cevil.example',
      '/%25252Fevil.example',
      '/\tevil.example',
      '/%09/evil.example',
      '/a%0d%0aSet-Cookie:x=1',
      '/a%00b',
      '/a%250ab',
      '/.//evil.example',
      '/%2e//evil.example',
      '/..%2f%2fevil.example',
      '/%2f%2fevil.example%',
      '/\u0085evil',
      `/${'%25'.repeat(1)}${'25'.repeat(20)}2f`,
    ]
    for (const start of hostile) {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await ask(token, start, method)
        assert.deepEqual([answer.status, answer.body?.error], [400, 'invalid_request'], start)
      }
    }
  })

  test('refuses what is said twice, and other methods', async () => {
    const token = await issue()
    const headers = { host: o.host, authorization: `Bearer ${token}` }
    const twice = await postForm(o, 'singleaccess', 'redirect_uri=/a&redirect_uri=/b', headers)
    assert.equal(twice.status, 400)
    const put = await o.server.inject({ method: 'PUT', url: PATH, headers })
    assert.equal(put.statusCode, 405)
    assert.equal((await o.open().get('/secur/frontdoor.jsp')).status, 400)
    assert.equal((await o.open().get('/secur/frontdoor.jsp?otp=a&otp=b')).status, 400)
    assert.equal((await o.open().get('/secur/frontdoor.jsp?otp=unknown%00')).status, 400)
  })
})

describe('the browser session of an access token', () => {
  test('ends with the token: revoked, expired or its app deleted', async () => {
    const revoked = await issue()
    const browser = await enter(revoked)
    await postForm(o, 'revoke', { token: revoked })
    assert.equal(await isLoggedIn(browser), false)

    const short = await issue(['web'], 30)
    const other = await enter(short)
    later(31)
    assert.equal(await isLoggedIn(other), false)
  })

  test('does not begin when the token was revoked after the address was made', async () => {
    const token = await issue()
    const address = await fetchAddress(token)
    await postForm(o, 'revoke', { token })
    assert.equal((await o.open().get(address)).status, 400)
  })

  test('ends when its user logs out, and the token does not', async () => {
    const token = await issue()
    const browser = await enter(token)
    await browser.submit(await browser.get('/logout'))
    assert.equal(await isLoggedIn(browser), false)
    assert.equal((await ask(token)).status, 200)
  })

  test('approves no app, not even one that was approved before: its user has to log in', async () => {
    const app = await o.app({ scopes: ['full', 'refresh_token'] })
    const request = new URLSearchParams({
      ...{ response_type: 'code', client_id: app, redirect_uri: CALLBACK },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    })
    const address = `/services/oauth2/authorize?${request}`
    const browser = await enter(await issue())
    assert.match((await browser.get(address)).location!, /^\/login\?retURL=/)
    const forged = await browser.post(address, { decision: 'approve', csrf: 'x' })
    assert.ok(forged.status >= 400 && forged.location === undefined)

    const real = o.open()
    const asked = await real.logIn(undefined, undefined, address)
    const page = await real.get(asked.location!)
    const approved = await real.submit(page, { decision: 'approve' })
    assert.match(approved.location!, /[?&]code=/)
    assert.match((await browser.get(address)).location!, /^\/login\?retURL=/)
    const silent = await browser.get(`${address}&prompt=none`)
    assert.match(silent.location!, /error=immediate_unsuccessful/)
  })

  test('connects no device and changes no password: its user has to log in', async () => {
    const browser = await enter(await issue())
    assert.match((await browser.get('/setup/connect')).location!, /^\/login\?retURL=/)
    assert.match((await browser.post('/setup/connect', { user_code: 'X' })).location!, /^\/login\?retURL=/)
    assert.match((await browser.get('/change-password')).location!, /^\/login\?retURL=/)
    const form = {
      current: 'correct horse battery',
      password: 'another long pass 1',
      again: 'another long pass 1',
    }
    assert.match((await browser.post('/change-password', form)).location!, /^\/login\?retURL=/)
    const next = await browser.logIn(undefined, undefined, '/change-password')
    assert.equal((await browser.get(next.location!)).status, 200)
  })

  test('is a new one, whatever cookie the browser had', async () => {
    const browser = o.open()
    browser.cookies.set('objectry_sid', 'chosen-by-somebody-else')
    await browser.get(await fetchAddress(await issue()))
    assert.notEqual(browser.cookies.get('objectry_sid'), 'chosen-by-somebody-else')
    assert.ok(await isLoggedIn(browser))
  })
})
