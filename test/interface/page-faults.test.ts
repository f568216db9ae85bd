import assert from 'node:assert/strict'
import { once as awaitEvent } from 'node:events'
import { request } from 'node:http'
import { before, beforeEach, describe, test } from 'node:test'
import { startDevice } from '../../src/auth/tokens/device-codes.ts'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import {
  alertIn,
  type Browser,
  type BrowserClient,
  CALLBACK,
  openBrowserClient,
  PASSWORD,
  type Shown,
  USERNAME,
} from '../support/browser-client.ts'
import { fetchCounts, forget, injectFault } from '../support/faults.ts'
import { askToken } from '../support/oauth.ts'

/* Fault plans refuse requests for the pages of log-ins as the real failures would. */

let o: BrowserClient
let clientId: string
let browser: Browser

before(async () => {
  o = await openBrowserClient({ settings: { allowFaults: 'true' } })
  clientId = await o.app({ name: 'Television', enableDeviceFlow: true, scopes: ['api'] })
})

beforeEach(async () => {
  await forget(o)
  browser = o.open()
})

const once = { until: { count: 1 } }
const blocked = { oauth: { error: 'OAUTH_APP_BLOCKED' } }

const authorize = (at = browser) =>
  at.get(
    `/services/oauth2/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: CALLBACK, state: 'a state' },
    })}`,
  )

const logIn = async () => assert.equal((await browser.logIn()).status, 303)

const reported = ({ location }: Shown) => Object.fromEntries(new URL(location!).searchParams)

const shownCode = ({ text }: Shown) => /<span class="code-shown">([^<]*)</.exec(text)?.[1]

/** Types the code of a device that has just been started. */
async function typeCode() {
  const { userCode, deviceCode } = await startDevice(o.db, systemClock, {
    ...{ clientId, org: o.org, scopes: ['api'] },
  })
  const shown = await browser.submit(await browser.get('/setup/connect'), { user_code: userCode })
  return { shown, deviceCode }
}

describe('a fault plan for authorization requests', () => {
  test('tells the app in the redirect, with its state, and asks the user nothing', async () => {
    for (const [error, description] of [
      ['OAUTH_APP_BLOCKED', 'this app is blocked by admin'],
      ['OAUTH_EC_APP_NOT_FOUND', 'External client app is not installed in this org'],
      ['invalid_scope', 'the requested scope is not allowed'],
    ] as const) {
      await injectFault(o, { ...once, match: { route: 'authorize' }, effect: { oauth: { error } } })
      const refused = await authorize()
      assert.equal(refused.status, 302)
      assert.deepEqual(reported(refused), { error, error_description: description, state: 'a state' })
      assert.match((await authorize()).location!, /^\/login\?retURL=/)
    }
  })

  test('says the same as an app that is blocked', async () => {
    await injectFault(o, { ...once, match: { route: 'authorize' }, effect: blocked })
    const injected = await authorize()
    await o.call('PATCH', `/sobjects/ConnectedApplication/ConsumerKey/${clientId}`, {
      body: { IsBlocked: true },
    })
    assert.deepEqual(reported(injected), reported(await authorize()))
    await o.call('PATCH', `/sobjects/ConnectedApplication/ConsumerKey/${clientId}`, {
      body: { IsBlocked: false },
    })
  })

  test('is for an app by its name or client id, and for a user who is logged in', async () => {
    await logIn()
    for (const match of [{ app: 'Television' }, { app: clientId }, { user: USERNAME }]) {
      await injectFault(o, { match: { route: 'authorize', ...match }, effect: blocked })
      assert.equal(reported(await authorize()).error, 'OAUTH_APP_BLOCKED', JSON.stringify(match))
    }
    await injectFault(o, { match: { route: 'authorize', app: 'Another' }, effect: blocked })
    assert.equal((await authorize()).status, 200)
    assert.deepEqual(await fetchCounts(o), [0, 0])
  })
})

describe('a fault plan for the log-in', () => {
  test('shows the error on a page, before the password is looked at', async () => {
    const form = await browser.get('/login')
    await injectFault(o, { match: { route: 'login', user: USERNAME }, effect: blocked })
    const refused = await browser.submit(form, { username: USERNAME, password: PASSWORD })
    assert.deepEqual([refused.status, shownCode(refused)], [403, 'OAUTH_APP_BLOCKED'])
    assert.equal(alertIn(refused), 'this app is blocked by admin')
    const other = await browser.submit(form, { username: 'other@objectry.test', password: 'wrong' })
    assert.equal(other.status, 400)
  })

  test('makes pages unavailable or slow, each by its short name or its path', async () => {
    await logIn()
    for (const [route, path] of [
      ['login', '/login?retURL=%2F'],
      ['/login', '/login?retURL=%2F'],
      ['device', '/setup/connect'],
      ['/setup/connect', '/setup/connect'],
    ] as const) {
      await injectFault(o, { ...once, match: { route }, effect: { status: 503 } })
      const busy = await browser.get(path)
      assert.deepEqual([busy.status, busy.headers['retry-after']], [503, '1'], route)
      assert.match(String(busy.headers['content-type']), /^text\/html/)
      assert.equal((await browser.get(path)).status, 200)
    }
    await injectFault(o, { ...once, match: { route: 'login' }, effect: { status: 502 } })
    assert.match((await browser.get('/login?retURL=%2F')).text, /502 Bad Gateway/)
    await injectFault(o, { ...once, match: { route: 'login' }, effect: { latency: 300 } })
    const began = performance.now()
    assert.equal((await browser.get('/login?retURL=%2F')).status, 200)
    assert.ok(performance.now() - began >= 295)
  })

  test('loses its answer, before the log-in or afterwards', async () => {
    const address = await o.server.listen({ host: '127.0.0.1', port: 0 })
    const shown = await browser.get('/login')
    const fields = Object.fromEntries(
      [...shown.text.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    )
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const body = new URLSearchParams({ ...fields, username: USERNAME, password: PASSWORD })
    const count = async () => {
      const [row] = await o.db.query<{ number: number }>(
        sql`select count(*)::int as number from objectry.browser_session`,
      )
      return row!.number
    }
    for (const [cut, begun] of [
      ['beforeCommit', 0],
      ['afterCommit', 1],
    ] as const) {
      const before = await count()
      await injectFault(o, { ...once, match: { route: 'login' }, effect: { cut } })
      const sent = request(`${address}/login`, {
        method: 'POST',
        // The org is found by the host, which fetch would replace.
        headers: { cookie, host: o.host, 'content-type': 'application/x-www-form-urlencoded' },
      })
      sent.end(body.toString())
      await assert.rejects(awaitEvent(sent, 'response'), { code: 'ECONNRESET' })
      assert.equal((await count()) - before, begun, cut)
    }
  })

  test('is none that does not name it', async () => {
    await logIn()
    for (const body of [
      { effect: { status: 503 } },
      { match: { route: '/*' }, effect: { status: 503 } },
      { match: { app: clientId }, effect: { status: 503 } },
      { match: { route: 'token' }, effect: { status: 503 } },
      { match: { route: 'login' }, effect: { limit: 'total' } },
    ]) {
      await injectFault(o, body)
      for (const path of ['/login?retURL=%2F', '/setup/connect'])
        assert.equal((await browser.get(path)).status, 200, JSON.stringify(body))
      assert.equal((await authorize()).status, 200, JSON.stringify(body))
    }
  })
})

describe('a fault plan for the page of devices', () => {
  test('refuses the app behind a code, and the device learns it', async () => {
    await logIn()
    await injectFault(o, { match: { route: 'device', app: 'Television' }, effect: blocked })
    const { shown, deviceCode } = await typeCode()
    assert.deepEqual([shown.status, shownCode(shown)], [403, 'OAUTH_APP_BLOCKED'])
    assert.equal(alertIn(shown), 'Your administrator does not allow it.')
    const polled = await askToken(o, { grant_type: 'device', client_id: clientId, code: deviceCode })
    assert.equal(polled.body.error, 'access_denied')
    await injectFault(o, { match: { route: 'device', app: 'Another' }, effect: blocked })
    assert.equal((await typeCode()).shown.status, 200)
  })
})

test('short names of routes stand for the log-ins in plans, and no others do', async () => {
  await injectFault(o, { match: { route: 'token', grant: 'password', app: clientId }, effect: blocked })
  const { body } = await o.call('GET', '/setup/faults/plan')
  assert.deepEqual(body.match, { route: 'token', grant: 'password', app: clientId })
  for (const [match, says] of [
    [{ route: 'tokens' }, /or one of token, authorize, login, device, soap/],
    [{ route: 'login', grant: 'password' }, /means nothing for login/],
  ] as const) {
    const answer = await o.call('PUT', '/setup/faults/plan', { body: { match, effect: { latency: 1 } } })
    assert.equal(answer.status, 400)
    assert.match(answer.text, says)
  }
})
