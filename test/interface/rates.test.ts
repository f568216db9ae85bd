import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { type BrowserClient, openBrowserClient, PASSWORD, USERNAME } from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'
import { assertOAuthError, FORM, HOST, type Parameters } from '../support/oauth.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

/* How often somebody may be wrong, begin a device or call, and the answers then. */

const PROXY = '10.255.0.1'

interface From {
  readonly peer?: string
  readonly forwardedFor?: string
  readonly endpoint?: string
}

/** A form to an OAuth endpoint, from an address. */
async function send(
  { server }: Pick<TestOrg, 'server'>,
  parameters: Parameters,
  { peer, forwardedFor, endpoint = 'token' }: From = {},
): Promise<Answer> {
  const response = await server.inject({
    method: 'POST',
    url: `/services/oauth2/${endpoint}`,
    ...(peer !== undefined && { remoteAddress: peer }),
    headers: {
      ...{ 'content-type': FORM, host: HOST },
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
    payload: new URLSearchParams(parameters as Record<string, string>).toString(),
  })
  return makeAnswer(response)
}

const right = ({ clientId, clientSecret }: TestOrg) => ({
  ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
})

const wrong = (o: TestOrg) => ({ ...right(o), client_secret: 'a guess' })

function assertRateExceeded(answer: Answer): number {
  assert.equal(answer.status, 429, answer.text)
  assert.deepEqual(answer.body, { error: 'rate_limit_exceeded', error_description: 'login rate exceeded' })
  const wait = Number(answer.headers['retry-after'])
  assert.ok(wait > 0 && wait <= 60, String(wait))
  return wait
}

const statuses = async (answers: readonly Promise<Answer>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)

const count = (all: readonly number[], status: number) => all.filter((one) => one === status).length

describe('refused requests for tokens', () => {
  let o: TestOrg
  let now = thisSecond()

  before(async () => {
    o = await openOrg({
      clock: () => now,
      settings: { tokenErrors: '5', trustedProxies: `${PROXY}, 10.254.0.0/16` },
    })
  })

  test('are 429 with Retry-After after so many in a minute, the right secret too, and 200 after the wait', async () => {
    for (let i = 0; i < 5; i++) assertOAuthError(await send(o, wrong(o)), 'invalid_client')
    const wait = assertRateExceeded(await send(o, wrong(o)))
    assertRateExceeded(await send(o, right(o)))
    now = new Date(now.getTime() + wait * 1000)
    assert.equal((await send(o, right(o))).status, 200)
  })

  test('count exactly, however many come at once', async () => {
    const from = { peer: '192.0.2.10' }
    const all = await statuses(Array.from({ length: 40 }, () => send(o, wrong(o), from)))
    assert.deepEqual([count(all, 400), count(all, 429)], [5, 35])
  })

  test('are the only ones that count: many right ones at once, and one after the other, all succeed', async () => {
    const from = { peer: '192.0.2.11' }
    const all = await statuses(Array.from({ length: 60 }, () => send(o, right(o), from)))
    assert.equal(count(all, 200), 60)
    for (let i = 0; i < 20; i++) assert.equal((await send(o, right(o), from)).status, 200)
  })

  test('keep neither another client at that address out, nor the same client elsewhere', async () => {
    const from = { peer: '192.0.2.12' }
    for (let i = 0; i < 30; i++) await send(o, wrong(o), from)
    assertRateExceeded(await send(o, right(o), from))
    const other = await openOrg({ settings: { tokenErrors: '5' } })
    assert.equal((await send(other, right(other), from)).status, 200)
    assert.equal((await send(o, right(o), { peer: '192.0.2.13' })).status, 200)
  })

  test('of made up clients are bounded by the address', async () => {
    const from = { peer: '192.0.2.14' }
    const guess = (i: number) => send(o, { ...wrong(o), client_id: `nobody ${i}` }, from)
    for (let i = 0; i < 25; i++) assertOAuthError(await guess(i), 'invalid_client_id')
    assertRateExceeded(await guess(25))
    assertRateExceeded(await send(o, right(o), from))
  })

  test('count at introspection and revocation too', async () => {
    const introspect = { peer: '192.0.2.15', endpoint: 'introspect' }
    for (let i = 0; i < 5; i++) {
      assertOAuthError(await send(o, { ...wrong(o), token: 'x' }, introspect), 'invalid_client')
    }
    assertRateExceeded(await send(o, { ...right(o), token: 'x' }, introspect))
    const revoke = { peer: '192.0.2.16', endpoint: 'revoke' }
    for (let i = 0; i < 25; i++) assert.equal((await send(o, { token: 'x' }, revoke)).status, 400)
    assertRateExceeded(await send(o, { token: 'x' }, revoke))
  })

  test('have no limit where the setting is 0', async () => {
    const free = await openOrg({ settings: { tokenErrors: '0' } })
    const all = await statuses(Array.from({ length: 400 }, () => send(free, wrong(free))))
    assert.equal(count(all, 400), 400)
  })

  test('have a limit of 60 in a minute without a setting', async () => {
    const usual = await openOrg()
    const all = await statuses(Array.from({ length: 70 }, () => send(usual, wrong(usual))))
    assert.deepEqual([count(all, 400), count(all, 429)], [60, 10])
  })

  test('take long client ids, as they are', async () => {
    assertOAuthError(await send(o, { ...wrong(o), client_id: 'x'.repeat(20_000) }), 'invalid_client_id')
  })
})

describe('the address that counts', () => {
  const settings = { tokenErrors: '2', trustedProxies: `${PROXY},10.254.0.0/16,fd00::/8` }

  const isLimited = async (o: TestOrg, from: From) => (await send(o, right(o), from)).status === 429

  test('is that of the client behind trusted proxies, so one of them keeps no other out', async () => {
    const o = await openOrg({ settings })
    const attacker = { peer: PROXY, forwardedFor: '203.0.113.9' }
    for (let i = 0; i < 10; i++) await send(o, wrong(o), attacker)
    assert.equal(await isLimited(o, attacker), true)
    assert.equal(await isLimited(o, { peer: PROXY, forwardedFor: '203.0.113.10' }), false)
    // Two proxies, a port, a mapped address: the same client.
    for (const forwardedFor of [
      '203.0.113.9, 10.254.3.4',
      '203.0.113.9:50123',
      '::ffff:203.0.113.9,fd00::1',
    ]) {
      assert.equal(await isLimited(o, { peer: PROXY, forwardedFor }), true, forwardedFor)
    }
  })

  test('attack: is never one that the client wrote', async () => {
    const o = await openOrg({ settings })
    for (let i = 0; i < 10; i++) {
      await send(o, wrong(o), { peer: PROXY, forwardedFor: `198.51.100.${i}, 203.0.113.11` })
    }
    assert.equal(await isLimited(o, { peer: PROXY, forwardedFor: '198.51.100.99, 203.0.113.11' }), true)
    // Who is no proxy is who they are, whatever they say.
    for (let i = 0; i < 10; i++)
      await send(o, wrong(o), { peer: '203.0.113.12', forwardedFor: `198.51.100.${i}` })
    assert.equal(await isLimited(o, { peer: '203.0.113.12', forwardedFor: '198.51.100.77' }), true)
    // A text that is no address ends the search.
    for (const forwardedFor of ['203.0.113.13, nonsense', 'nonsense', '', ',,']) {
      for (let i = 0; i < 2; i++) await send(o, wrong(o), { peer: '10.254.9.9', forwardedFor })
    }
    assert.equal(await isLimited(o, { peer: '10.254.9.9', forwardedFor: 'unknown' }), true)
  })

  test('is that of the connection without the setting, on this machine too', async () => {
    const o = await openOrg({ settings: { tokenErrors: '2' } })
    const peer = '127.9.8.7'
    for (let i = 0; i < 4; i++) await send(o, wrong(o), { peer, forwardedFor: `203.0.113.${i}` })
    assert.equal(await isLimited(o, { peer, forwardedFor: '203.0.113.200' }), true)
  })

  test('counts by its first half in version 6', async () => {
    const o = await openOrg({ settings })
    const from = (host: string) => ({ peer: PROXY, forwardedFor: `2001:db8:7:1::${host}` })
    for (let i = 0; i < 4; i++) await send(o, wrong(o), from(`${i}`))
    assert.equal(await isLimited(o, from('abcd')), true)
    assert.equal(await isLimited(o, { peer: PROXY, forwardedFor: '2001:db8:7:2::1' }), false)
  })
})

describe('devices', () => {
  test('that begin too often from an address are 429 with Retry-After, polls are not', async () => {
    const o = await openBrowserClient({ settings: { tokenErrors: '5' } })
    const client_id = await o.app({ name: 'Television', enableDeviceFlow: true })
    const start = (peer?: string) =>
      send(o, { response_type: 'device_code', client_id }, peer === undefined ? {} : { peer })
    const all: Awaited<ReturnType<typeof start>>[] = []
    // Not all at once: on a busy machine some would give up their wait for the database.
    for (let i = 0; i < 10; i++) all.push(...(await Promise.all(Array.from({ length: 60 }, () => start()))))
    const answered = all.map(({ status }) => status)
    assert.deepEqual([count(answered, 200), count(answered, 429)], [30, 570])
    assertRateExceeded(await start())
    assert.equal((await start('192.0.2.20')).status, 200)
    const { device_code: code } = all.find(({ status }) => status === 200)!.body
    for (let i = 0; i < 10; i++) {
      const poll = await send(o, { grant_type: 'device', client_id, code })
      assertOAuthError(poll, i === 0 ? 'authorization_pending' : 'slow_down')
    }
  })
})

describe('attack: wrong passwords of somebody else', () => {
  let o: BrowserClient
  let now = thisSecond()

  before(async () => {
    o = await openBrowserClient({ clock: () => now, settings: { trustedProxies: '10.0.0.0/8' } })
    await setPassword(o.db, o.org, await createUser(o, 'traveller'), PASSWORD, () => now)
  })

  /** Sends the log-in form as a client behind the proxy. */
  async function logInFrom(address: string, password = PASSWORD, username = USERNAME): Promise<number> {
    const browser = o.open()
    const headers = { 'x-forwarded-for': address }
    const page = await browser.get('/login', headers)
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
    const { status } = await browser.post('/login', { csrf, username, password }, headers)
    return status
  }

  test('lock nobody out at another address, and the attacker at once', async () => {
    for (let i = 0; i < 10; i++) assert.equal(await logInFrom('203.0.113.1', `guess ${i}`), 400)
    assert.equal(await logInFrom('203.0.113.1'), 400)
    assert.equal(await logInFrom('203.0.113.2'), 303)
    const { body } = await o.call('GET', '/setup/orgs/current/users')
    const admin = body.find((user: { username: string }) => user.username === USERNAME)
    assert.equal(admin.isLocked, true)
    now = new Date(now.getTime() + 901_000)
    assert.equal(await logInFrom('203.0.113.1'), 303)
  })

  test('from a hundred addresses lock the user only where the user never was, until unlock', async () => {
    const username = 'traveller@objectry.test'
    assert.equal(await logInFrom('192.0.2.77', PASSWORD, username), 303)
    for (let i = 0; i < 100; i++) assert.equal(await logInFrom(`198.51.100.${i}`, 'guess', username), 400)
    assert.equal(await logInFrom('203.0.113.50', PASSWORD, username), 400)
    assert.equal(await logInFrom('192.0.2.77', PASSWORD, username), 303)
    const path = `/setup/orgs/current/users/${encodeURIComponent(username)}/unlock`
    assert.equal((await o.call('POST', path)).status, 204)
    assert.equal(await logInFrom('203.0.113.50', PASSWORD, username), 303)
  })

  test('from one address behind the proxy keep nobody else behind it from logging in', async () => {
    for (let i = 0; i < 30; i++) await logInFrom('203.0.113.60', 'wrong', `nobody${i}@example.com`)
    assert.equal(await logInFrom('203.0.113.60'), 429)
    assert.equal(await logInFrom('203.0.113.61'), 303)
    assert.equal((await o.open().logIn()).status, 303)
  })
})

describe('calls per second', () => {
  const now = new Date('2026-03-01T12:00:00Z')

  test('are 403 REQUEST_LIMIT_EXCEEDED with Retry-After above the setting, before the body is read', async () => {
    let time = now
    const o = await openOrg({ clock: () => time, settings: { callsPerSecond: '3' } })
    const other = await issueToken(o)
    time = new Date(time.getTime() + 1000)
    const usedAfter = ({ status, headers }: Answer) => {
      assert.equal(status, 200)
      return Number(/^api-usage=(\d+)\//.exec(String(headers['svc-limit-info']))![1])
    }
    const read = () => o.call('GET', '/limits')
    const used = [usedAfter(await read()), usedAfter(await read()), usedAfter(await read())]
    const refused = await o.call('POST', '/sobjects/Account', { text: '{"no JSON' })
    assert.deepEqual([refused.status, refused.headers['retry-after']], [403, '1'])
    assert.deepEqual(refused.body, [
      {
        message: 'RequestsPerSecond Limit exceeded.',
        errorCode: 'REQUEST_LIMIT_EXCEEDED',
        fields: [],
      },
    ])
    // Another caller has a second of its own, and what was refused counts toward nothing else.
    const headers = { authorization: `Bearer ${other}` }
    assert.equal(usedAfter(await o.call('GET', '/limits', { headers })), used[2]! + 1)
    time = new Date(time.getTime() + 1000)
    assert.equal((await read()).status, 200)
  })

  test('have no limit without the setting', async () => {
    const o = await openOrg({ clock: () => now })
    for (let i = 0; i < 50; i++) assert.equal((await o.call('GET', '/sobjects')).status, 200)
  })

  /** A token of another user of the org, with the same app. */
  async function issueToken(o: TestOrg): Promise<string> {
    const userId = await createUser(o, 'second')
    const { org, clientId, services } = o
    return services.sessions.issue({ org, clientId, userId, scopes: ['api'], grantType: 'test' })
  }
})
