import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { ReceivedError, Report } from '../../src/faults/journal/report.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg
let now = Date.UTC(2026, 5, 1)
let token: string
let keeper: { readonly authorization: string }

before(async () => {
  o = await openOrg({ settings: { allowFaults: 'true' }, clock: () => new Date(now) })
  keeper = { authorization: `Bearer ${o.services.sessions.issueUnstored(o.org, o.userId)}` }
})

const requestToken = (more: Readonly<Record<string, string>> = {}) =>
  o.server.inject({
    method: 'POST',
    url: '/services/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: o.clientId,
      client_secret: o.clientSecret,
      ...more,
    }).toString(),
  })

async function signIn(): Promise<void> {
  const answer = await requestToken()
  assert.equal(answer.statusCode, 200)
  token = answer.json().access_token
}

/** The client waits before each of its calls. */
function call(method: 'GET' | 'POST', path: string, body?: object, wait = 5): Promise<Answer> {
  now += wait
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = path.startsWith('/services') ? path : `/services/data/v64.0${path}`
  return o.server
    .inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
    .then(makeAnswer)
}

const setup = (method: string, path: string, body?: object) =>
  o.call(method, `/setup${path}`, { body, headers: keeper })

async function injectFault(effect: object, match = {}): Promise<void> {
  assert.ok((await setup('PUT', '/faults/rehearsed', { match, effect, until: { count: 1 } })).status < 300)
}

/** The report of what a client does. */
async function fetchReport(story: () => Promise<void>): Promise<Report> {
  assert.equal((await setup('DELETE', '/orgs/current/report')).status, 204)
  await signIn()
  await story()
  const { body, status } = await setup('GET', '/orgs/current/report')
  assert.equal(status, 200)
  return body
}

async function judged(
  story: () => Promise<void>,
): Promise<Pick<ReceivedError, 'required' | 'isMet' | 'did'>> {
  const { errors } = await fetchReport(story)
  assert.equal(errors.length, 1, JSON.stringify(errors))
  const { required, isMet, did } = errors[0]!
  return { required, isMet, did }
}

const answers = (required: string, isMet: boolean, did: string) => ({ required, isMet, did })

test('without --allow-faults there is no journal and no report', async () => {
  const strict = await openOrg()
  const message = 'No journal is kept: start the server with --allow-faults'
  for (const method of ['GET', 'DELETE']) {
    const answer = await strict.call(method, '/setup/orgs/current/report')
    assertRefused(answer, 403, 'INSUFFICIENT_ACCESS', message)
  }
})

test('the report counts calls by app, route and version, and what they would have cost', async () => {
  const report = await fetchReport(async () => {
    await call('GET', '/limits')
    await call('POST', '/sobjects/Account', { Name: 'x' })
    await call('GET', '/services/data/v50.0/sobjects/Account')
    await call('GET', '/sobjects/Account')
    await injectFault({ limit: 'total' })
    await call('GET', '/sobjects/Account')
  })
  assert.deepEqual([report.calls, report.cost, report.peakConcurrency], [5, 4, 1])
  assert.deepEqual(report.apps, [{ name: 'First app', calls: 5 }])
  assert.deepEqual(report.routes, [
    { name: 'GET /sobjects/:object', calls: 3 },
    { name: 'GET /limits', calls: 1 },
    { name: 'POST /sobjects/:object', calls: 1 },
  ])
  assert.deepEqual(report.versions, [
    { name: '64.0', calls: 4 },
    { name: '50.0', calls: 1 },
  ])
  assert.deepEqual(report.faults, [{ name: 'rehearsed', met: 1, retried: 0 }])
  assert.equal(report.errors[0]!.fault, 'rehearsed')
})

describe('a client does what it must', () => {
  const AGAIN = 're-authenticate and send it again'

  test('after 401 when it gets a new token and sends the call again', async () => {
    const story = async (renews: boolean, repeats: boolean) => {
      await injectFault({ token: 'expired' })
      assert.equal((await call('GET', '/limits')).status, 401)
      now += 5
      if (renews) await signIn()
      if (repeats) await call('GET', '/limits')
    }
    const good = await fetchReport(() => story(true, true))
    assert.deepEqual(good.faults, [{ name: 'rehearsed', met: 1, retried: 1 }])
    assert.deepEqual([good.errors[0]!.isMet, good.errors.length], [true, 1])
    assert.deepEqual(
      await judged(() => story(true, false)),
      answers(AGAIN, false, 'got a new token and did not send it again'),
    )
    assert.deepEqual(await judged(() => story(false, false)), answers(AGAIN, false, 'asked for no new token'))
    const stubborn = await fetchReport(() => story(false, true))
    assert.deepEqual(stubborn.errors.map(({ did }) => did).sort(), [
      'asked for no new token',
      'sent it again with the old token',
    ])
  })

  test('after a limit when it waits', async () => {
    const story = async (wait: number) => {
      await injectFault({ limit: 'total' })
      assert.equal((await call('GET', '/limits')).status, 403)
      await call('GET', '/limits', undefined, wait)
    }
    assert.deepEqual(await judged(() => story(20)), answers('back off', false, 'called again after 20 ms'))
    assert.deepEqual(await judged(() => story(5000)), answers('back off', true, 'called again after 5.0 s'))
  })

  test('after 410 when it speaks another version', async () => {
    const story = async (...versions: number[]) => {
      await injectFault({ retired: true })
      for (const version of versions) await call('GET', `/services/data/v${version}.0/sobjects/Account`)
    }
    const must = 'move to a supported version'
    assert.deepEqual(await judged(() => story(50, 64)), answers(must, true, 'sent it in another version'))
    assert.deepEqual(
      await judged(() => story(50, 50)),
      answers(must, false, 'sent it again in the same version'),
    )
    assert.deepEqual(await judged(() => story(50)), answers(must, false, 'sent it in no other version'))
  })

  test('after a halted batch, or a wrong call, when it does not send the same again', async () => {
    const batch = (...objects: string[]) =>
      call('POST', '/composite/batch', {
        haltOnError: true,
        batchRequests: objects.map((name) => ({ method: 'GET', url: `v64.0/sobjects/${name}` })),
      })
    const must = 'fix the failing subrequest and resend the rest'
    const same = async () => void [await batch('Nope', 'Account'), await batch('Nope', 'Account')]
    const { errors } = await fetchReport(same)
    assert.deepEqual(
      errors.map(({ isMet, required, code }) => [isMet, required, code]),
      [
        [false, must, 'BATCH_PROCESSING_HALTED'],
        [true, must, 'BATCH_PROCESSING_HALTED'],
      ],
    )
    const fixed = async () => void [await batch('Nope', 'Account'), await batch('Account')]
    assert.deepEqual(await judged(fixed), answers(must, true, 'did not send the same again'))
    const wrong = async () =>
      void [
        await call('POST', '/sobjects/Contact', {}),
        await call('POST', '/sobjects/Contact', { LastName: 'x' }),
      ]
    assert.deepEqual(await judged(wrong), answers('fix the call', true, 'did not send the same again'))
  })

  test('names the error of a composite: its own, or that of the first step that failed', async () => {
    const composite = (count: number) => async () => {
      const compositeRequest = Array.from({ length: count }, (_, number) => ({
        method: 'GET',
        url: '/services/data/v64.0/sobjects/Nope',
        referenceId: `step${number}`,
      }))
      await call('POST', '/composite', { compositeRequest })
    }
    const codes = async (count: number) =>
      (await fetchReport(composite(count))).errors.map(({ code }) => code)
    assert.deepEqual(await codes(26), ['LIMIT_EXCEEDED'])
    assert.deepEqual(await codes(2), ['NOT_FOUND'])
  })

  test('after a server error when a write is not sent twice', async () => {
    const story = (method: 'GET' | 'POST') => async () => {
      await injectFault({ status: 503 })
      for (let time = 0; time < 2; time++) await call(method, '/sobjects/Account', { Name: 'twice' })
    }
    const must = 'send it again only if it does no harm'
    assert.deepEqual(await judged(story('GET')), answers(must, true, 'sent it again'))
    assert.deepEqual(
      await judged(story('POST')),
      answers(must, false, 'sent a write again that may have been done'),
    )
  })
})

describe('requests for tokens', () => {
  beforeEach(async () => {
    assert.equal((await setup('DELETE', '/faults')).status, 204)
  })

  const story =
    (effect: object, wait: number, more: Readonly<Record<string, string>> = {}) =>
    async () => {
      await injectFault(effect, { route: 'token', grant: 'client_credentials', app: o.clientId })
      await requestToken()
      now += wait
      await requestToken(more)
    }

  test('are calls of the report that cost nothing, where a plan is about them', async () => {
    const { calls, cost, apps, routes, versions, faults, errors } = await fetchReport(
      story({ oauth: { error: 'invalid_client' } }, 5),
    )
    assert.deepEqual([calls, cost], [2, 0])
    assert.deepEqual(apps, [{ name: 'First app', calls: 2 }])
    assert.deepEqual(routes, [{ name: 'POST /services/oauth2/token', calls: 2 }])
    assert.deepEqual(versions, [{ name: '', calls: 2 }])
    assert.deepEqual(faults, [{ name: 'rehearsed', met: 1, retried: 1 }])
    const { status, code, fault, app, did } = errors[0]!
    assert.deepEqual([status, code, fault, app], [400, 'invalid_client', 'rehearsed', 'First app'])
    assert.equal(did, 'sent the same again')
  })

  test('are none of it without such a plan', async () => {
    assert.equal((await fetchReport(async () => void (await requestToken()))).calls, 0)
  })

  test('may be sent again behind a failure, not behind a refusal, and behind a limit later', async () => {
    const refused = { oauth: { error: 'invalid_grant' } }
    assert.deepEqual(await judged(story(refused, 5)), answers('fix the call', false, 'sent the same again'))
    assert.deepEqual(
      await judged(story(refused, 5, { scope: 'api' })),
      answers('fix the call', true, 'did not send the same again'),
    )
    assert.deepEqual(
      await judged(story({ status: 503 }, 5)),
      answers('send it again, or give up', true, 'sent it again'),
    )
    const limit = { oauth: { error: 'rate_limit_exceeded' } }
    assert.deepEqual(await judged(story(limit, 20)), answers('back off', false, 'called again after 20 ms'))
    assert.deepEqual(await judged(story(limit, 5000)), answers('back off', true, 'called again after 5.0 s'))
  })

  test('leave no hash of a password behind', async () => {
    const passwords = ['one', 'two'].map((password) => ({ grant_type: 'password', password, username: 'x' }))
    await injectFault({ oauth: { error: 'invalid_grant' } }, { grant: 'password' })
    const { errors } = await fetchReport(async () => {
      for (const form of passwords) {
        now += 5
        await requestToken(form)
      }
    })
    assert.deepEqual([errors[0]!.did, errors[0]!.times], ['sent the same again', 1])
  })
})
