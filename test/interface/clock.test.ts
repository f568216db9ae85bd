import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

const CLOCK = '/setup/orgs/current/clock'

/** Administrators keep a token that never ends, so that they can put the clock back. */
async function openMovable(
  settings = {},
  host?: string,
): Promise<TestOrg & { move(body: object): Promise<void> }> {
  const o = await openOrg({ settings: { allowFaults: 'true', ...settings }, host })
  const token = o.services.sessions.issueUnstored(o.org, o.userId)
  const headers = { authorization: `Bearer ${token}` }
  return {
    ...o,
    async move(body) {
      const answer = await o.call('PUT', CLOCK, { body, headers })
      assert.equal(answer.status, 200, answer.text)
    },
  }
}

const day = (seconds: number) => Math.round(seconds / 86_400)

describe('the clock of an org', () => {
  test('cannot be moved unless faults are allowed', async () => {
    const o = await openOrg()
    const message = 'Clocks stay as they are: start the server with --allow-faults'
    for (const [method, body] of [
      ['PUT', { advanceSeconds: 60 }],
      ['DELETE', undefined],
    ] as const) {
      assertRefused(await o.call(method, CLOCK, { body }), 403, 'INSUFFICIENT_ACCESS', message)
    }
    assert.equal((await o.call('GET', CLOCK)).body.aheadSeconds, 0)
  })

  test('is set, moved and put back, and what cannot be read changes nothing', async () => {
    const o = await openOrg({ settings: { allowFaults: 'true', sessionSeconds: '86400' } })
    const moved = await o.call('PUT', CLOCK, { body: { advanceSeconds: 3600 } })
    assert.equal(moved.body.aheadSeconds, 3600)
    assert.equal((await o.call('PUT', CLOCK, { body: { advanceSeconds: -1800 } })).body.aheadSeconds, 1800)
    for (const body of [
      {},
      { now: 'tomorrow' },
      { now: '2026-02-31' },
      { now: '2026-13-01T00:00:00Z' },
      { now: '1999-01-01T00:00:00Z' },
      { advanceSeconds: '1' },
      { advanceSeconds: 1e300 },
      { now: '2026-01-01T00:00:00Z', advanceSeconds: 1 },
      { ahead: 1 },
    ]) {
      assert.equal((await o.call('PUT', CLOCK, { body })).status, 400, JSON.stringify(body))
    }
    assert.equal((await o.call('GET', CLOCK)).body.aheadSeconds, 1800)
    assert.equal((await o.call('DELETE', CLOCK)).body.aheadSeconds, 0)
    const { body } = await o.call('PUT', CLOCK, {
      body: { now: new Date(Date.now() + 600_000).toISOString() },
    })
    assert.equal(Math.round(body.aheadSeconds / 60), 10)
  })

  test('moves alone: other orgs and other servers without leave keep their time', async () => {
    const o = await openMovable()
    const other = await openOrg({ settings: { allowFaults: 'true' } })
    await o.move({ advanceSeconds: 30 * 86_400 })
    assert.equal((await other.call('GET', CLOCK)).body.aheadSeconds, 0)
    const strict = await openOrg()
    const headers = { authorization: `Bearer ${o.token}` }
    const answer = makeAnswer(await strict.server.inject({ method: 'GET', url: CLOCK, headers }))
    assert.deepEqual([answer.status, answer.body.aheadSeconds], [200, 0])
  })
})

describe('with the clock', () => {
  test('access tokens expire', async () => {
    const o = await openMovable({ sessionSeconds: '7200' })
    await o.move({ advanceSeconds: 7100 })
    assert.equal((await o.call('GET', '/limits')).status, 200)
    await o.move({ advanceSeconds: 7300 })
    assertRefused(await o.call('GET', '/limits'), 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
  })

  test('the allocation is free again', async () => {
    const o = await openMovable({ allocation: '3', sessionSeconds: '86400' })
    for (const status of [200, 200, 200, 403]) assert.equal((await o.call('GET', '/limits')).status, status)
    await o.move({ advanceSeconds: 23 * 3600 })
    assert.equal((await o.call('GET', '/limits')).status, 403)
    await o.move({ advanceSeconds: 3660 })
    const answer = await o.call('GET', '/limits')
    assert.deepEqual([answer.status, answer.headers['svc-limit-info']], [200, 'api-usage=1/3'])
  })

  test('what was counted comes back with the clock', async () => {
    const o = await openMovable({ allocation: '2' })
    const headers = { authorization: `Bearer ${o.services.sessions.issueUnstored(o.org, o.userId)}` }
    for (const status of [200, 200, 403]) {
      assert.equal((await o.call('GET', '/limits', { headers })).status, status)
    }
    await o.move({ advanceSeconds: 30 * 86_400 })
    assert.equal((await o.call('GET', '/limits', { headers })).status, 200)
    await o.services.quotaStore.close()
    await o.move({ advanceSeconds: -30 * 86_400 })
    assert.equal((await o.call('GET', '/limits', { headers })).status, 403)
  })

  test('introspection knows that a token has expired', async () => {
    const o = await openMovable()
    const introspect = async () => {
      const answer = await o.server.inject({
        method: 'POST',
        url: '/services/oauth2/introspect',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          token: o.token,
          client_id: o.clientId,
          client_secret: o.clientSecret,
        }).toString(),
      })
      return answer.json().active
    }
    assert.equal(await introspect(), true)
    await o.move({ advanceSeconds: 86_400 })
    assert.equal(await introspect(), false)
  })

  test('date literals and audit fields of records move', async () => {
    const o = await openMovable({ sessionSeconds: '86400' })
    await o.create('Account', { Name: 'Before' })
    await o.move({ advanceSeconds: 3 * 86_400 })
    const { access_token: token } = JSON.parse(
      (
        await o.server.inject({
          method: 'POST',
          url: '/services/oauth2/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: `grant_type=client_credentials&client_id=${o.clientId}&client_secret=${encodeURIComponent(o.clientSecret)}`,
        })
      ).payload,
    )
    const later = {
      ...o,
      call: (method: string, path: string, sent = {}) =>
        o.call(method, path, {
          ...sent,
          headers: { authorization: `Bearer ${token}`, host: 'retiring.test' },
        }),
    }
    const made = await later.call('POST', '/sobjects/Account', { body: { Name: 'After' } })
    assert.equal(made.status, 201)
    assert.deepEqual(await fetchNames(later, 'Account WHERE CreatedDate = TODAY'), ['After'])
    assert.deepEqual(
      await fetchNames(later, 'Account WHERE CreatedDate = LAST_N_DAYS:4 AND CreatedDate != TODAY'),
      ['Before'],
    )
    const { body } = await later.call('GET', `/sobjects/Account/${made.body.id}`)
    assert.equal(day((Date.parse(body.CreatedDate) - Date.now()) / 1000), 3)
  })
})

describe('a version that retires', () => {
  let o: Awaited<ReturnType<typeof openMovable>>
  let token: string
  before(async () => {
    o = await openMovable({ retirements: '40=2028-06-01;41-42=2029-02-01' }, 'retiring.test')
    token = o.services.sessions.issueUnstored(o.org, o.userId)
  })
  const get = (version: number, path = '/limits') =>
    o.call('GET', `/services/data/v${version}.0${path}`, {
      headers: { authorization: `Bearer ${token}`, host: 'retiring.test' },
    })
  const listed = async () => {
    const { body } = makeAnswer(
      await o.server.inject({ method: 'GET', url: '/services/data', headers: { host: 'retiring.test' } }),
    )
    return body.map(({ version }: { version: string }) => Number(version))
  }

  test('is deprecated in its last year, and says so on every answer', async () => {
    await o.move({ now: '2027-05-31T23:59:00Z' })
    assert.equal((await get(40)).headers.warning, undefined)
    await o.move({ now: '2027-06-01T00:00:01Z' })
    const warning = `299 - "This API is deprecated and will be removed by Summer '28."`
    for (const path of ['/limits', '/nothing']) assert.equal((await get(40, path)).headers.warning, warning)
    assert.equal((await get(41)).headers.warning, undefined)
    assert.ok((await listed()).includes(40))
  })

  test('answers 410 from its day on, in steps of calls too, and is not listed any more', async () => {
    await o.move({ now: '2028-06-01T00:00:01Z' })
    const message = 'The requested API version is retired: v40.0'
    assertRefused(await get(40), 410, 'GONE', message)
    assert.deepEqual((await listed()).slice(0, 1), [31])
    assert.ok(!(await listed()).includes(40))
    const step = { method: 'GET', url: '/services/data/v40.0/sobjects/Account/describe', referenceId: 'a' }
    const headers = { authorization: `Bearer ${token}`, host: 'retiring.test' }
    const composite = await o.call('POST', '/composite', { body: { compositeRequest: [step] }, headers })
    assert.equal(composite.body.compositeResponse[0].httpStatusCode, 410)
    const batch = await o.call('POST', '/composite/batch', {
      body: { batchRequests: [{ method: 'GET', url: 'v40.0/limits' }] },
      headers,
    })
    assert.equal(batch.body.results[0].statusCode, 410)
    const reported = `299 - "This API is deprecated and will be removed by Spring '29."`
    assert.equal((await get(41)).headers.warning, reported)
  })

  test('is served again when the clock is set back before its day', async () => {
    await o.move({ now: '2030-01-01T00:00:00Z' })
    assert.equal((await get(42)).status, 410)
    await o.move({ now: '2026-01-01T00:00:00Z' })
    assert.equal((await get(42)).status, 200)
  })

  test('is reported with the apps that still speak it', async () => {
    await o.move({ now: '2027-10-01T00:00:00Z' })
    const issued = await o.services.sessions.issue({
      ...{ org: o.org, userId: o.userId, scopes: ['api'], grantType: 'test', clientId: o.clientId },
    })
    await o.call('GET', '/services/data/v40.0/limits', {
      headers: { authorization: `Bearer ${issued}`, host: 'retiring.test' },
    })
    await o.services.quotaStore.close()
    const answer = await o.call('GET', '/setup/orgs/current/versions?days=7', {
      headers: { authorization: `Bearer ${token}`, host: 'retiring.test' },
    })
    const version = answer.body.find((one: { version: string }) => one.version === '40.0')
    assert.deepEqual(version, {
      version: '40.0',
      label: "Summer '17",
      released: '2017-06-01',
      retires: '2028-06-01',
      support: 'deprecated',
      calls: 1,
      apps: [{ clientId: o.clientId, name: 'First app', calls: 1, lastDay: '2027-10-01' }],
    })
    for (const days of ['0', '366', 'x', '1e2']) {
      const refused = await o.call('GET', `/setup/orgs/current/versions?days=${days}`, {
        headers: { authorization: `Bearer ${token}`, host: 'retiring.test' },
      })
      assert.equal(refused.status, 400)
    }
  })
})
