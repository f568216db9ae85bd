import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AppSettings } from '../../src/auth/oauth/connected-app.ts'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { sql } from '../../src/base/sql.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

const CALLBACK = 'https://app.example.com/callback'
const HOUR = 3600

let org: TestOrg
let now = thisSecond()
const clock = () => now
const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

before(async () => {
  org = await openOrg({ clock, settings: { sessionSeconds: '86400' } })
})

/** A client whose user has agreed, and its first tokens. */
async function begin(settings: Partial<AppSettings> = {}, userId = org.userId) {
  const scopes = settings.scopes ?? ['api', 'refresh_token']
  const clientId = await makeApp(org, { callbackUrls: [CALLBACK], ...settings, scopes })
  const agreed = { clientId, org: org.org, userId, scopes, redirectUri: CALLBACK }
  const client = { client_id: clientId, client_secret: 's' }
  const code = await issueCode(org.db, clock, agreed)
  const first = await fetchTokens(org, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    ...client,
  })
  const refresh = (refresh_token: string, more: object = {}) =>
    askToken(org, { grant_type: 'refresh_token', refresh_token, ...client, ...more })
  return { clientId, first, refresh }
}

const assertExpired = (answer: Awaited<ReturnType<typeof askToken>>) =>
  assertOAuthError(answer, 'invalid_grant', 'expired access/refresh token')

const setApp = async (clientId: string, fields: object) => {
  const { status, text } = await org.call('PATCH', `/sobjects/ConnectedApplication/ConsumerKey/${clientId}`, {
    body: fields,
  })
  assert.equal(status, 200, text)
}

describe('a refresh token', () => {
  test('gives access tokens again and again, and no other refresh token', async () => {
    const { first, refresh } = await begin()
    for (let time = 0; time < 3; time++) {
      wait(HOUR)
      const { status, body } = await refresh(first.refresh_token)
      assert.equal(status, 200)
      assert.equal(body.refresh_token, undefined)
      assert.equal(body.scope, 'api refresh_token')
      assert.equal(body.id, first.id)
      assert.equal(await statusWith(org, body.access_token), 200)
    }
  })

  test('comes with a verifier from clients that still hold one', async () => {
    const { first, refresh } = await begin()
    assert.equal((await refresh(first.refresh_token, { code_verifier: 'v'.repeat(171) })).status, 200)
  })

  test('needs the secret, unless the app says that it does not', async () => {
    const strict = await begin()
    for (const client_secret of [undefined, '', 'wrong']) {
      assertOAuthError(await strict.refresh(strict.first.refresh_token, { client_secret }), 'invalid_client')
    }
    const lax = await begin({ requireSecretForRefresh: false })
    assert.equal((await lax.refresh(lax.first.refresh_token, { client_secret: undefined })).status, 200)
  })

  test("is refused when it is nobody's or another client's", async () => {
    const [one, other] = [await begin(), await begin()]
    for (const token of ['5Aep861nonsense', 'a\0b', one.first.access_token])
      assertExpired(await one.refresh(token))
    assertExpired(await other.refresh(one.first.refresh_token))
    assert.equal((await one.refresh(one.first.refresh_token)).status, 200)
  })

  test('gives fewer scopes when fewer are asked for, never more', async () => {
    const { first, refresh } = await begin({ scopes: ['api', 'web', 'refresh_token'] })
    assert.equal((await refresh(first.refresh_token, { scope: 'api' })).body.scope, 'api')
    assertOAuthError(await refresh(first.refresh_token, { scope: 'full' }), 'invalid_scope')
  })

  test('gives no scope that the app has lost meanwhile', async () => {
    const { clientId, first, refresh } = await begin({ scopes: ['api', 'web', 'refresh_token'] })
    await setApp(clientId, { Scopes: 'web;refresh_token' })
    assert.equal((await refresh(first.refresh_token)).body.scope, 'web refresh_token')
    await setApp(clientId, { Scopes: 'web' })
    assertExpired(await refresh(first.refresh_token))
  })

  test('of a user who has left, or of a blocked or deleted app, is refused', async () => {
    const userId = await createUser(org, 'gone')
    const left = await begin({}, userId)
    await org.call('PATCH', `/sobjects/User/${userId}`, { body: { IsActive: false } })
    assertOAuthError(await left.refresh(left.first.refresh_token), 'inactive_user')
    const app = await begin()
    await setApp(app.clientId, { IsBlocked: true })
    assertOAuthError(await app.refresh(app.first.refresh_token), 'OAUTH_APP_BLOCKED')
    const deleted = await org.call(
      'GET',
      `/sobjects/ConnectedApplication/ConsumerKey/${app.clientId}?fields=Id`,
    )
    assert.equal((await org.call('DELETE', `/sobjects/ConnectedApplication/${deleted.body.Id}`)).status, 204)
    assertOAuthError(await app.refresh(app.first.refresh_token), 'invalid_client_id')
  })

  test('is kept as a hash only', async () => {
    const { first } = await begin()
    const rows = await org.db.query(sql`select * from objectry.refresh_token`)
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes(first.refresh_token.slice(7)))
  })
})

describe('the policy of an app ends a refresh token', () => {
  test('a number of hours after it was given', async () => {
    const { first, refresh } = await begin({ refreshTokenPolicy: 'AfterHours', refreshTokenHours: 2 })
    wait(HOUR)
    assert.equal((await refresh(first.refresh_token)).status, 200)
    wait(HOUR)
    assertExpired(await refresh(first.refresh_token))
  })

  test('a number of hours after its last use', async () => {
    const { first, refresh } = await begin({ refreshTokenPolicy: 'AfterUnusedHours', refreshTokenHours: 2 })
    for (let time = 0; time < 3; time++) {
      wait(1.5 * HOUR)
      assert.equal((await refresh(first.refresh_token)).status, 200)
    }
    wait(2 * HOUR)
    assertExpired(await refresh(first.refresh_token))
  })

  test('its end stays the same when it is rotated', async () => {
    const policy = {
      refreshTokenPolicy: 'AfterHours',
      refreshTokenHours: 2,
      rotateRefreshTokens: true,
    } as const
    const { first, refresh } = await begin(policy)
    wait(HOUR)
    const { body } = await refresh(first.refresh_token)
    wait(HOUR)
    assertExpired(await refresh(body.refresh_token))
  })
})

describe('with rotation', () => {
  test('each refresh gives another refresh token', async () => {
    const { first, refresh } = await begin({ rotateRefreshTokens: true })
    let token = first.refresh_token
    for (let time = 0; time < 3; time++) {
      const { body } = await refresh(token)
      assert.match(body.refresh_token, /^5Aep861/)
      assert.notEqual(body.refresh_token, token)
      token = body.refresh_token
    }
  })

  test('a retired token that comes again takes all of its family away', async () => {
    const { first, refresh } = await begin({ rotateRefreshTokens: true })
    const second = (await refresh(first.refresh_token)).body
    wait(11)
    assertExpired(await refresh(first.refresh_token))
    assertExpired(await refresh(second.refresh_token))
    assert.equal(await statusWith(org, second.access_token), 401)
    assert.equal(await statusWith(org, first.access_token), 401)
  })

  test('workers that refresh at the same moment all get an access token, and one of them the next refresh token', async () => {
    const { first, refresh } = await begin({ rotateRefreshTokens: true })
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(first.refresh_token)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    )
    const next = answers.flatMap(({ body }) => body.refresh_token ?? [])
    assert.equal(next.length, 1)
    for (const { body } of answers) assert.equal(await statusWith(org, body.access_token), 200)
    wait(60)
    assert.equal((await refresh(next[0])).status, 200)
  })
})

describe('an access token', () => {
  test('lives as long after its last use as its app says', async () => {
    const { first, refresh } = await begin({ sessionMinutes: 15 })
    wait(14 * 60)
    assert.equal(await statusWith(org, first.access_token), 200)
    wait(14 * 60)
    assert.equal(await statusWith(org, first.access_token), 200)
    wait(16 * 60)
    assert.equal(await statusWith(org, first.access_token), 401)
    assert.equal((await refresh(first.refresh_token)).status, 200)
  })
})
