import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp } from '../support/make-app.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

let org: TestOrg
let now = thisSecond()
let leaver: string

before(async () => {
  org = await openOrg({ clock: () => now, settings: { sessionSeconds: '100' } })
  leaver = await createUser(org, 'leaver')
})

const FORM = 'application/x-www-form-urlencoded'

interface Requested {
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly path?: string
}

async function ask(parameters: Record<string, string> | string, requested: Requested = {}): Promise<Answer> {
  const response = await org.server.inject({
    method: (requested.method ?? 'POST') as 'POST',
    url: requested.path ?? '/services/oauth2/token',
    headers: { 'content-type': FORM, host: 'records.example.com', ...requested.headers },
    payload: typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString(),
  })
  return makeAnswer(response)
}

const credentials = () => ({
  grant_type: 'client_credentials',
  client_id: org.clientId,
  client_secret: org.clientSecret,
})

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

function app(more: object = {}): Promise<string> {
  return makeApp(org, { enableClientCredentials: true, runAsUserId: org.userId, ...more })
}

const withToken = (token: string) =>
  org.call('GET', `/sobjects/User/${org.userId}?fields=Id`, { headers: { authorization: `Bearer ${token}` } })

function assertOAuthError(answer: Answer, error: string, description: string): void {
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual(answer.body, { error, error_description: description })
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['www-authenticate'], undefined)
}

describe('client credentials', () => {
  test('give a token with all members of the contract', async () => {
    const { status, body, headers } = await ask(credentials())
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json;charset=UTF-8')
    assert.deepEqual([headers['cache-control'], headers.pragma], ['no-store', 'no-cache'])
    const members = [
      'access_token',
      'id',
      'instance_url',
      'issued_at',
      'scope',
      'signature',
      'token_format',
      'token_type',
    ]
    assert.deepEqual(Object.keys(body).sort(), members)
    assert.match(body.access_token, new RegExp(`^${org.org.id.slice(0, 15)}![A-Za-z0-9._]{96}$`))
    assert.equal(body.token_type, 'Bearer')
    assert.equal(body.token_format, 'opaque')
    assert.equal(body.scope, 'api')
    assert.equal(body.instance_url, 'http://records.example.com')
    assert.equal(body.id, `http://records.example.com/id/${org.org.id}/${org.userId}`)
    assert.equal(body.issued_at, String(now.getTime()))
  })

  test('are signed with the secret: HMAC-SHA256 over id and issued_at', async () => {
    const { body } = await ask(credentials())
    const signature = createHmac('sha256', org.clientSecret)
      .update(body.id + body.issued_at)
      .digest('base64')
    assert.equal(body.signature, signature)
  })

  test('give a token that opens the data as the run-as user, by Bearer and by OAuth in any case', async () => {
    const { access_token } = (await ask(credentials())).body
    for (const scheme of ['Bearer', 'OAuth', 'bearer', 'OAUTH']) {
      const answer = await org.call('POST', '/sobjects/Account', {
        body: { Name: 'Acme' },
        headers: { authorization: `${scheme} ${access_token}` },
      })
      assert.equal(answer.status, 201)
      const { body } = await org.call('GET', `/sobjects/Account/${answer.body.id}`)
      assert.equal(body.CreatedById, org.userId)
    }
  })

  test('come for the parameters of the address where there is no body, and for those of the body alone where there is one', async () => {
    const url = `/services/oauth2/token?${new URLSearchParams(credentials())}`
    const send = async (headers: Record<string, string>, payload?: string) =>
      makeAnswer(await org.server.inject({ method: 'POST', url, headers, ...(payload && { payload }) }))
    const given = await send({})
    assert.equal(given.status, 200, given.text)
    assert.equal((await send({ 'content-type': FORM })).status, 200)
    assertOAuthError(
      await send({ 'content-type': FORM }, 'a=b'),
      'invalid_request',
      'missing required parameter: grant_type',
    )
    assertOAuthError(
      await send({ 'content-type': 'text/plain' }, 'a=b'),
      'invalid_request',
      'the parameters must be form-encoded',
    )
  })

  test('come by HTTP Basic too, form-encoded in it', async () => {
    const { grant_type } = credentials()
    assert.equal((await ask({ grant_type }, { headers: basic(org.clientId, org.clientSecret) })).status, 200)
    const encoded = org.clientSecret.replaceAll(' ', '+')
    assert.equal((await ask({ grant_type }, { headers: basic(org.clientId, encoded) })).status, 200)
  })

  test('are answered at every spelling of the path, with the address that clients use', async () => {
    for (const path of ['/services/oauth2/token/', '//services/oauth2/token']) {
      assert.equal((await ask(credentials(), { path })).status, 200)
    }
    const named = await openOrg({ settings: { publicUrl: 'https://records.example.org/' } })
    const response = await named.server.inject({
      method: 'POST',
      url: '/services/oauth2/token',
      headers: { 'content-type': FORM },
      payload: new URLSearchParams({ ...credentials(), client_id: named.clientId }).toString(),
    })
    assert.equal(makeAnswer(response).body.instance_url, 'https://records.example.org')
  })

  test('take no host that could not be one', async () => {
    const { body } = await ask(credentials(), { headers: { host: 'evil.example/"<script>' } })
    assert.equal(body.instance_url, 'http://127.0.0.1:8080')
  })
})

describe('a token is refused', () => {
  test('for an unknown client, one of another alphabet, and one with a NUL', async () => {
    for (const client_id of ['nobody', '日本', 'a\0b', "' or 1=1 --", 'x'.repeat(10_000)]) {
      assertOAuthError(
        await ask({ ...credentials(), client_id }),
        'invalid_client_id',
        'client identifier invalid',
      )
    }
  })

  test('for a wrong or a missing secret', async () => {
    const { client_secret, ...rest } = credentials()
    const description = 'invalid client credentials'
    assertOAuthError(await ask({ ...rest, client_secret: 'wrong' }), 'invalid_client', description)
    assertOAuthError(await ask({ ...rest, client_secret: '' }), 'invalid_client', description)
    assertOAuthError(await ask({ ...rest, client_secret: 'a\0b' }), 'invalid_client', description)
    assertOAuthError(await ask(rest), 'invalid_client', description)
    const { grant_type } = rest
    assertOAuthError(
      await ask({ grant_type }, { headers: basic(org.clientId, 'wrong') }),
      'invalid_client',
      description,
    )
  })

  test('for another grant, none, and missing or repeated parameters', async () => {
    const { grant_type, ...rest } = credentials()
    const unsupported = 'grant type not supported'
    assertOAuthError(await ask({ ...rest, grant_type: 'implicit' }), 'unsupported_grant_type', unsupported)
    assertOAuthError(await ask({ ...rest, grant_type: 'constructor' }), 'unsupported_grant_type', unsupported)
    assertOAuthError(await ask(rest), 'invalid_request', 'missing required parameter: grant_type')
    assertOAuthError(await ask(''), 'invalid_request', 'missing required parameter: grant_type')
    assertOAuthError(await ask({ grant_type }), 'invalid_request', 'missing required parameter: client_id')
    const twice = `${new URLSearchParams(credentials())}&client_id=other`
    assertOAuthError(await ask(twice), 'invalid_request', 'parameter stands more than once: client_id')
    for (const authorization of [
      'Basic',
      'Basic !!!',
      'Basic YQ==',
      `Basic ${Buffer.from('%zz:%').toString('base64')}`,
    ]) {
      const answer = await ask({ grant_type }, { headers: { authorization } })
      assertOAuthError(answer, 'invalid_request', 'missing required parameter: client_id')
    }
  })

  test('for another method or a body that is no form', async () => {
    assertOAuthError(await ask('', { method: 'GET' }), 'invalid_request', 'must use HTTP POST')
    const json = { headers: { 'content-type': 'application/json' } }
    assertOAuthError(
      await ask(JSON.stringify(credentials()), json),
      'invalid_request',
      'the parameters must be form-encoded',
    )
  })

  test('in the shape of OAuth by whatever stage refuses', async () => {
    const large = await openOrg({ settings: { bodyLimit: '1024' } })
    const refusal = async (headers: Record<string, string>, payload: string) =>
      makeAnswer(
        await large.server.inject({ method: 'POST', url: '/services/oauth2/token', headers, payload }),
      )
    const tooLarge = await refusal({ 'content-type': FORM }, 'x'.repeat(2000))
    assert.equal(tooLarge.status, 413)
    assert.equal(tooLarge.body.error, 'invalid_request')
    const packed = await refusal({ 'content-type': FORM, 'content-encoding': 'br' }, 'x')
    assert.equal(packed.status, 415)
    assert.equal(packed.body.error, 'invalid_request')
  })

  test('when the app has no user to run as, or that user is not active', async () => {
    const ofApp = (client_id: string) => ask({ ...credentials(), client_id, client_secret: 's' })
    const none = await app({ runAsUserId: null })
    assertOAuthError(await ofApp(none), 'invalid_grant', 'no client credentials user enabled')
    const gone = await createUser(org, 'gone', { IsActive: false })
    assertOAuthError(await ofApp(await app({ runAsUserId: gone })), 'inactive_user', 'user is inactive')
  })
})

describe('a session', () => {
  test('is kept as a hash only, and so is the secret', async () => {
    const { access_token } = (await ask(credentials())).body
    const rows = await org.db.query(sql`select session.*, app.*
      from objectry.session session join objectry.client app on app.client_id = session.client_id
      where app.client_id = ${org.clientId}`)
    const text = JSON.stringify(rows)
    assert.ok(rows.length > 0)
    assert.ok(!text.includes(access_token) && !text.includes(access_token.slice(16)))
    assert.ok(!text.includes(org.clientSecret))
  })

  test('lives on while it is used, and ends when it was not used for its time', async () => {
    const { access_token } = (await ask(credentials())).body
    const after = (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000)
      return withToken(access_token)
    }
    for (let use = 0; use < 5; use++) assert.equal((await after(60)).status, 200)
    assert.equal((await after(101)).status, 401)
    assert.equal((await after(1)).status, 401)
  })

  test('ends when its user is no longer active', async () => {
    const client_id = await app({ runAsUserId: leaver })
    const { access_token } = (await ask({ ...credentials(), client_id, client_secret: 's' })).body
    assert.equal((await withToken(access_token)).status, 200)
    const admin = (await ask(credentials())).body.access_token
    const leave = await org.call('PATCH', `/sobjects/User/${leaver}`, {
      body: { IsActive: false },
      headers: { authorization: `Bearer ${admin}` },
    })
    assert.equal(leave.status, 204)
    now = new Date(now.getTime() + 6000)
    assert.equal((await withToken(access_token)).status, 401)
  })

  test('without a scope for data gives no access to data, and the client is not asked to sign in again', async () => {
    const client_id = await app({ scopes: ['id', 'openid'] })
    const { access_token } = (await ask({ ...credentials(), client_id, client_secret: 's' })).body
    const answer = await withToken(access_token)
    assert.equal(answer.status, 403)
    assert.equal(answer.body[0].errorCode, 'INSUFFICIENT_ACCESS')
    const full = await app({ scopes: ['full'] })
    const open = (await ask({ ...credentials(), client_id: full, client_secret: 's' })).body.access_token
    assert.equal((await withToken(open)).status, 200)
  })

  test('opens its own org only', async () => {
    const other = await openOrg({ clock: () => now })
    const id = await other.create('Account', { Name: 'Acme' })
    const { access_token } = (await ask(credentials())).body
    const headers = { authorization: `Bearer ${access_token}` }
    assert.equal((await other.call('GET', `/sobjects/Account/${id}`)).status, 200)
    assert.equal((await other.call('GET', `/sobjects/Account/${id}`, { headers })).status, 404)
  })
})
