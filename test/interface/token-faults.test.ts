import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createUser } from '../support/create-user.ts'
import { fetchCounts } from '../support/faults.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, type Parameters, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Fault plans refuse token requests as the real failures would. */

const CALLBACK = 'https://app.example.com/callback'
const PASSWORD = 'a password of the tests'
const ROUTE = '/services/oauth2/token'

let o: TestOrg
let client: Parameters

before(async () => {
  o = await openOrg({ settings: { allowFaults: 'true', allowPasswordFlow: 'true' } })
  client = { client_id: o.clientId, client_secret: o.clientSecret }
  await setPassword(o.db, o.org, await createUser(o, 'person'), PASSWORD, systemClock)
})

/** Sets the only plan. */
async function plan(body: object): Promise<void> {
  const answer = await o.call('PUT', '/setup/faults/plan', { body })
  assert.equal(answer.status, 200, answer.text)
}

const once = { until: { count: 1 } }
const byCredentials = () => askToken(o, { grant_type: 'client_credentials', ...client })
const byPassword = (username = 'person@objectry.test') =>
  askToken(o, { grant_type: 'password', username, password: PASSWORD, ...client })

/** The first tokens of a user who has agreed to an app of its own, and its way to further ones. */
async function agree() {
  const scopes = ['api', 'refresh_token']
  const clientId = await makeApp(o, { callbackUrls: [CALLBACK], scopes })
  const code = await issueCode(o.db, systemClock, {
    ...{ clientId, org: o.org, userId: o.userId, scopes },
    redirectUri: CALLBACK,
  })
  const own = { client_id: clientId, client_secret: 's' }
  const first = await fetchTokens(o, {
    grant_type: 'authorization_code',
    ...{ code, redirect_uri: CALLBACK },
    ...own,
  })
  const refresh = (refresh_token: string) =>
    askToken(o, { grant_type: 'refresh_token', refresh_token, ...own })
  return { first, refresh }
}

describe('a fault plan for token requests', () => {
  test('refuses with any error of OAuth, in its own text', async () => {
    const { OAUTH_ERRORS } = await import('../../src/faults/log-ins/oauth-errors.ts')
    for (const [error, text] of Object.entries(OAUTH_ERRORS)) {
      await plan({ ...once, match: { route: ROUTE }, effect: { oauth: { error } } })
      const answer = await byCredentials()
      if (error === 'rate_limit_exceeded') {
        assert.deepEqual([answer.status, answer.headers['retry-after']], [429, '60'])
      } else {
        const description = error === 'invalid_grant' ? 'no client credentials user enabled' : text
        assertOAuthError(answer, error, description)
      }
      assert.equal((await byCredentials()).status, 200)
    }
    await plan({ match: { route: ROUTE }, effect: { oauth: { error: 'invalid_grant', description: 'no' } } })
    assertOAuthError(await byCredentials(), 'invalid_grant', 'no')
  })

  test('ends one flow, and no other: the text is that of a wrong password', async () => {
    await plan({ match: { grant: 'password' }, effect: { oauth: { error: 'invalid_grant' } } })
    const refused = await byPassword()
    assertOAuthError(refused, 'invalid_grant', 'authentication failure')
    assert.equal((await byCredentials()).status, 200)
    await o.call('DELETE', '/setup/faults/plan')
    assert.equal((await byPassword()).status, 200)
    const wrong = await askToken(o, {
      ...{ grant_type: 'password', username: 'person@objectry.test', password: 'wrong' },
      ...client,
    })
    assert.equal(refused.text, wrong.text)
  })

  test('is for an app by its name or client id, and for a user', async () => {
    const effect = { oauth: { error: 'OAUTH_EC_APP_NOT_FOUND' } }
    for (const app of [o.clientId, 'First app']) {
      await plan({ match: { route: ROUTE, app }, effect })
      assertOAuthError(
        await byCredentials(),
        'OAUTH_EC_APP_NOT_FOUND',
        'External client app is not installed in this org',
      )
    }
    await plan({ match: { route: ROUTE, app: 'Another app' }, effect })
    assert.equal((await byCredentials()).status, 200)
    await plan({ match: { grant: 'password', user: 'person@objectry.test' }, effect })
    assertOAuthError(await byPassword(), 'OAUTH_EC_APP_NOT_FOUND')
    assertOAuthError(await byPassword('other@objectry.test'), 'invalid_grant')
  })

  test('takes refresh tokens away: expired ones alone, reused ones with all that they gave', async () => {
    for (const [how, status] of [
      ['expired', 200],
      ['reused', 401],
    ] as const) {
      const { first, refresh } = await agree()
      await plan({ ...once, match: { grant: 'refresh_token' }, effect: { refreshToken: how } })
      for (let time = 0; time < 2; time++) {
        assertOAuthError(await refresh(first.refresh_token), 'invalid_grant', 'expired access/refresh token')
      }
      assert.deepEqual(await fetchCounts(o), [2, 1])
      assert.equal(await statusWith(o, first.access_token), status)
    }
    await plan({ match: { route: ROUTE }, effect: { refreshToken: 'expired' } })
    assert.equal((await byCredentials()).status, 200)
    assertOAuthError(
      await askToken(o, { grant_type: 'refresh_token', refresh_token: 'x', ...client }),
      'invalid_grant',
      'expired access/refresh token',
    )
  })

  test('makes the endpoint slow, or unavailable', async () => {
    await plan({ ...once, match: { route: ROUTE }, effect: { latency: 300 } })
    const began = performance.now()
    assert.equal((await byCredentials()).status, 200)
    assert.ok(performance.now() - began >= 295)
    await plan({ ...once, match: { route: ROUTE }, effect: { status: 503 } })
    const busy = await byCredentials()
    assert.deepEqual([busy.status, busy.body.error, busy.headers['retry-after']], [503, 'server_error', '1'])
    await plan({ ...once, match: { route: ROUTE }, effect: { status: 502 } })
    assert.match((await byCredentials()).text, /502 Bad Gateway/)
  })

  test('loses its answer, before a token is issued or afterwards', async () => {
    const address = await o.server.listen({ host: '127.0.0.1', port: 0 })
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...client } as Record<
      string,
      string
    >)
    const count = async () => {
      await o.services.logins.writeDown()
      const { body } = await o.call('GET', '/query?q=SELECT+COUNT()+FROM+LoginHistory')
      return body.totalSize as number
    }
    for (const [cut, issued] of [
      ['beforeCommit', 0],
      ['afterCommit', 1],
    ] as const) {
      const before = await count()
      await plan({ ...once, match: { route: ROUTE }, effect: { cut } })
      await assert.rejects(fetch(`${address}${ROUTE}`, { method: 'POST', body }), TypeError)
      assert.equal((await count()) - before, issued, cut)
    }
  })

  test('is none that names neither their route nor a grant, and has no effect of other calls', async () => {
    for (const body of [
      { effect: { status: 503 } },
      { match: { app: o.clientId, method: 'POST' }, effect: { status: 503 } },
      { match: { route: '/*' }, effect: { status: 503 } },
      { match: { route: ROUTE }, effect: { limit: 'total' } },
      { match: { route: ROUTE }, effect: { error: { code: 'NOT_FOUND' } } },
    ]) {
      await plan(body)
      assert.equal((await byCredentials()).status, 200, JSON.stringify(body))
    }
    await plan({ match: { route: '/query' }, effect: { oauth: { error: 'invalid_grant' } } })
    assert.equal((await o.call('GET', '/query?q=SELECT+Id+FROM+User')).status, 200)
  })

  test('is refused where it could never match', async () => {
    for (const [body, says] of [
      [{ match: { grant: 'passwort' }, effect: { latency: 1 } }, /match\.grant/],
      [
        { match: { grant: 'password', route: '/query' }, effect: { latency: 1 } },
        /means nothing for \/query/,
      ],
      [{ effect: { oauth: { error: 'no_such' } } }, /effect\.oauth\.error/],
      [
        { match: { route: '/services/oauth2/tokens' }, effect: { latency: 1 } },
        /did you mean \/services\/oauth2\/token/,
      ],
    ] as const) {
      const { status, text } = await o.call('PUT', '/setup/faults/plan', { body })
      assert.equal(status, 400, text)
      assert.match(text, says)
    }
  })
})
