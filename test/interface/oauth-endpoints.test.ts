import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { AppSettings } from '../../src/auth/oauth/connected-app.ts'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp, makePublicApp } from '../support/make-app.ts'
import {
  askToken,
  assertOAuthError,
  fetchTokens,
  HOST,
  ORIGIN,
  postForm,
  statusWith,
} from '../support/oauth.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

const CALLBACK = 'https://app.example.com/callback'

let org: TestOrg
let now = thisSecond()
const clock = () => now

before(async () => {
  org = await openOrg({ clock, settings: { sessionSeconds: '86400' } })
})

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const options = { method: method as 'GET', url: path, headers: { host: HOST, ...headers } }
  return makeAnswer(await org.server.inject(options))
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A client and the tokens that a user's agreement gave it. */
async function begin(settings: Partial<AppSettings> = {}, nonce?: string, userId = org.userId) {
  const scopes = settings.scopes ?? ['api', 'refresh_token']
  const clientId = await makeApp(org, { callbackUrls: [CALLBACK], ...settings, scopes })
  const agreed = { clientId, org: org.org, userId, scopes, redirectUri: CALLBACK, nonce }
  const client = { client_id: clientId, client_secret: 's' }
  const code = await issueCode(org.db, clock, agreed)
  const tokens = await fetchTokens(org, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    ...client,
  })
  const refresh = () =>
    askToken(org, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...client })
  return { client, tokens, refresh }
}

describe('revoking', () => {
  test('an access token ends that one and leaves the refresh token', async () => {
    const { tokens, refresh } = await begin()
    const answer = await postForm(org, 'revoke', { token: tokens.access_token, revoke_reason: 'logout' })
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assert.equal(await statusWith(org, tokens.access_token), 401)
    assert.equal((await refresh()).status, 200)
  })

  test('a refresh token ends its access tokens too, older and newer ones', async () => {
    const { tokens, refresh } = await begin()
    const newer = (await refresh()).body.access_token
    assert.equal((await postForm(org, 'revoke', { token: tokens.refresh_token })).status, 200)
    for (const token of [tokens.access_token, newer]) assert.equal(await statusWith(org, token), 401)
    assertOAuthError(await refresh(), 'invalid_grant', 'expired access/refresh token')
  })

  test('works by GET, and as a script that calls a function of the page', async () => {
    const one = (await begin()).tokens.access_token
    assert.equal((await get(`/services/oauth2/revoke?token=${encodeURIComponent(one)}`)).status, 200)
    assert.equal(await statusWith(org, one), 401)
    const other = (await begin()).tokens.access_token
    const script = await get(
      `/services/oauth2/revoke?token=${encodeURIComponent(other)}&callback=page.done_1`,
    )
    assert.deepEqual([script.status, script.text], [200, '/**/page.done_1({});'])
    assert.equal(script.headers['content-type'], 'application/javascript;charset=UTF-8')
    assert.equal(script.headers['x-content-type-options'], 'nosniff')
    assert.equal(await statusWith(org, other), 401)
    const failed = await get('/services/oauth2/revoke?token=nonsense&callback=f')
    assert.match(failed.text, /^\/\*\*\/f\(\{"error":"invalid_token",.*\}\);$/)
  })

  test('calls nothing that is not the name of a function', async () => {
    const { tokens } = await begin()
    for (const callback of [
      'alert(1)//',
      '',
      'a b',
      'a;b',
      '<script>',
      'a[0]',
      '1a',
      'a..b',
      'x'.repeat(999),
      'é',
      'a\n',
    ]) {
      const query = new URLSearchParams({ token: tokens.access_token, callback })
      assertOAuthError(await get(`/services/oauth2/revoke?${query}`), 'invalid_request')
    }
    assert.equal(await statusWith(org, tokens.access_token), 200)
  })

  test('what is no token is refused, and the answer does not repeat it', async () => {
    for (const token of ['nonsense', 'a\0b', 'x'.repeat(30_000), '日本']) {
      assertOAuthError(await postForm(org, 'revoke', { token }), 'invalid_token', 'invalid token')
    }
    assertOAuthError(
      await postForm(org, 'revoke', {}),
      'invalid_request',
      'missing required parameter: token',
    )
    assertOAuthError(await postForm(org, 'revoke', 'token=a&token=b'), 'invalid_request')
    assertOAuthError(await get('/services/oauth2/revoke?token=x', {}, 'DELETE'), 'invalid_request')
  })

  test('a failure comes as a query string for a client that asks for that', async () => {
    const answer = await postForm(org, 'revoke', { token: 'x', format: 'urlencoded' })
    assert.deepEqual(
      [answer.status, answer.text],
      [400, 'error=invalid_token&error_description=invalid+token'],
    )
  })
})

describe('introspection', () => {
  const look = (token: string, by: object, headers?: Record<string, string>) =>
    postForm(org, 'introspect', { token, ...by }, headers)
  const INACTIVE = { active: false }

  test('tells of an access token all that the contract names', async () => {
    const { client, tokens } = await begin()
    const { status, body } = await look(tokens.access_token, client)
    assert.equal(status, 200)
    const seconds = now.getTime() / 1000
    assert.deepEqual(body, {
      active: true,
      scope: 'api refresh_token',
      client_id: client.client_id,
      username: 'admin@objectry.test',
      sub: tokens.id,
      token_type: 'access_token',
      exp: Math.floor(seconds + 86_400),
      iat: Math.floor(seconds),
      nbf: Math.floor(seconds),
    })
  })

  test('tells of a refresh token, with its end when the policy sets one', async () => {
    const lasting = await begin()
    const { body } = await look(lasting.tokens.refresh_token, {
      ...lasting.client,
      token_type_hint: 'refresh_token',
    })
    assert.deepEqual([body.active, body.token_type, body.exp], [true, 'refresh_token', undefined])
    const ending = await begin({ refreshTokenPolicy: 'AfterHours', refreshTokenHours: 1 })
    const reported = await look(ending.tokens.refresh_token, ending.client)
    assert.equal(reported.body.exp, Math.floor(now.getTime() / 1000 + 3600))
  })

  test('takes the client by form, by query, and by Basic', async () => {
    const { client, tokens } = await begin()
    const { client_id } = client
    const basic = `Basic ${Buffer.from(`${client_id}:s`).toString('base64')}`
    assert.equal((await look(tokens.access_token, {}, { authorization: basic })).body.active, true)
    const byQuery = await postForm(org, `introspect?${new URLSearchParams(client)}`, {
      token: tokens.access_token,
    })
    assert.equal(byQuery.body.active, true)
  })

  test('of a token that has expired, was revoked, or never was, says just that', async () => {
    const { client, tokens } = await begin({ sessionMinutes: 15 })
    for (const token of ['nonsense', 'a\0b', 'x'.repeat(9000)])
      assert.deepEqual((await look(token, client)).body, INACTIVE)
    const old = tokens.access_token
    now = new Date(now.getTime() + 15 * 60_000)
    assert.deepEqual((await look(old, client)).body, INACTIVE)
    await postForm(org, 'revoke', { token: tokens.refresh_token })
    assert.deepEqual((await look(tokens.refresh_token, client)).body, INACTIVE)
  })

  test("says nothing of an inactive user, nor of another client's token, unless the app may inspect all", async () => {
    const userId = await createUser(org, 'gone')
    const left = await begin({}, undefined, userId)
    assert.equal((await look(left.tokens.access_token, left.client)).body.active, true)
    await org.call('PATCH', `/sobjects/User/${userId}`, { body: { IsActive: false } })
    assert.deepEqual((await look(left.tokens.access_token, left.client)).body, INACTIVE)
    const { tokens } = await begin()
    const other = (await begin()).client
    assert.deepEqual((await look(tokens.access_token, other)).body, INACTIVE)
    const client_id = await makeApp(org, { introspectAll: true })
    const all = { client_id, client_secret: 's' }
    assert.equal((await look(tokens.access_token, all)).body.active, true)
    const elsewhere = await openOrg()
    assert.deepEqual((await look(elsewhere.token, all)).body, INACTIVE)
  })

  test('is for clients that prove who they are', async () => {
    const { client, tokens } = await begin()
    const { client_id } = client
    assertOAuthError(await look(tokens.access_token, {}), 'invalid_request')
    assertOAuthError(await look(tokens.access_token, { client_id: 'nobody' }), 'invalid_client_id')
    for (const client_secret of [undefined, '', 'wrong']) {
      assertOAuthError(await look(tokens.access_token, { client_id, client_secret }), 'invalid_client')
    }
    for (const open of ['PlatformCLI', await makePublicApp(org)]) {
      assertOAuthError(await look(tokens.access_token, { client_id: open }), 'invalid_client')
    }
    assertOAuthError(await get('/services/oauth2/introspect'), 'invalid_request', 'must use HTTP POST')
  })
})

describe('userinfo', () => {
  test('tells who the token belongs to, by GET and POST, for tokens with api, web, full or identity alone', async () => {
    for (const scopes of [['api'], ['web'], ['full'], ['id'], ['openid']]) {
      const { access_token, id } = (await begin({ scopes })).tokens
      for (const method of ['GET', 'POST']) {
        const { status, body } = await get('/services/oauth2/userinfo', bearer(access_token), method)
        assert.equal(status, 200)
        assert.equal(body.sub, id)
        assert.deepEqual([body.user_id, body.organization_id], [org.userId, org.org.id])
        assert.deepEqual(
          [body.preferred_username, body.email],
          ['admin@objectry.test', 'admin@objectry.test'],
        )
        assert.equal(body.user_id.length, 18)
        assert.ok(body.photos.picture && body.urls.rest && body.zoneinfo)
      }
    }
  })

  test('is refused with 403 and one word', async () => {
    const path = '/services/oauth2/userinfo'
    const { access_token } = (await begin()).tokens
    for (const [word, url, headers] of [
      ['Missing_OAuth_Token', path, {}],
      ['Missing_OAuth_Token', `${path}?oauth_token=${encodeURIComponent(access_token)}`, {}],
      ['Missing_OAuth_Token', `${path}?access_token=${encodeURIComponent(access_token)}`, {}],
      ['Bad_OAuth_Token', path, bearer('nonsense')],
    ] as const) {
      const answer = await get(url, headers)
      assert.deepEqual([answer.status, answer.text], [403, word])
    }
    const refused = await get(path, bearer(access_token), 'DELETE')
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, POST'])
  })
})

describe('an id token', () => {
  test('comes with openid, signed by a key that everybody may read', async () => {
    const { client, tokens } = await begin({ scopes: ['api', 'openid'] }, 'n-0S6_WzA2Mj')
    const { body } = await get('/id/keys')
    assert.ok(body.keys.length > 0)
    for (const key of body.keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      assert.deepEqual([key.alg, key.kty, key.use], ['RS256', 'RSA', 'sig'])
    }
    const options = { issuer: ORIGIN, audience: client.client_id, currentDate: now, algorithms: ['RS256'] }
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(body), options)
    assert.ok(protectedHeader.kid)
    assert.equal(payload.sub, tokens.id)
    assert.equal(payload.nonce, 'n-0S6_WzA2Mj')
    assert.ok(payload.exp! - payload.iat! <= 600)
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16)
    assert.equal(payload.at_hash, half.toString('base64url'))
  })

  test('does not come without openid', async () => {
    assert.equal((await begin()).tokens.id_token, undefined)
  })
})

describe('discovery', () => {
  test('names every endpoint at the address that the client uses', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { status, body } = await get(path)
      assert.equal(status, 200)
      assert.equal(body.issuer, ORIGIN)
      assert.equal(body.token_endpoint, `${ORIGIN}/services/oauth2/token`)
      assert.equal(body.jwks_uri, `${ORIGIN}/id/keys`)
      assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
      assert.ok(body.scopes_supported.includes('refresh_token'))
      // Our start differs from the standard's, so naming it would mislead.
      assert.equal(body.device_authorization_endpoint, undefined)
    }
  })
})

describe('the answer of the token endpoint', () => {
  const ask = (more: object, headers: Record<string, string> = {}) =>
    postForm(
      org,
      'token',
      { grant_type: 'client_credentials', client_id: org.clientId, client_secret: org.clientSecret, ...more },
      headers,
    )

  test('is JSON, or a query string when that is asked for', async () => {
    for (const accept of [
      'application/json',
      '*/*',
      'text/html, */*;q=0.1',
      'text/html,application/xml;q=0.9',
    ]) {
      assert.equal((await ask({}, { accept })).headers['content-type'], 'application/json;charset=UTF-8')
    }
    for (const answer of [
      await ask({ format: 'urlencoded' }),
      await ask({}, { accept: 'application/x-www-form-urlencoded' }),
      await ask({ format: 'urlencoded' }, { accept: 'application/json' }),
    ]) {
      assert.equal(answer.headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8')
      const found = new URLSearchParams(answer.text)
      assert.equal(await statusWith(org, found.get('access_token')!), 200)
    }
    const refused = await ask({ format: 'urlencoded', client_secret: 'wrong' })
    assert.equal(refused.status, 400)
    assert.equal(new URLSearchParams(refused.text).get('error'), 'invalid_client')
  })

  test('is XML when that is asked for, and nothing else', async () => {
    for (const answer of [await ask({ format: 'xml' }), await ask({}, { accept: 'text/xml' })]) {
      assert.equal(answer.headers['content-type'], 'application/xml;charset=UTF-8')
      const [, token] = /^<\?xml version="1.0" encoding="UTF-8"\?><OAuth>.*<access_token>([^<]+)</.exec(
        answer.text,
      )!
      assert.equal(await statusWith(org, token!), 200)
    }
    const refused = await ask({ format: 'xml', client_secret: '<wrong>' })
    assert.deepEqual(
      [refused.status, /<error>(.*)<\/error>/.exec(refused.text)?.[1]],
      [400, 'invalid_client'],
    )
    const text = 'the format must be json, urlencoded or xml'
    assertOAuthError(await ask({ format: 'yaml' }), 'invalid_request', text)
  })

  test('refuses a parameter that is too long for anything', async () => {
    assertOAuthError(
      await ask({ scope: 'x'.repeat(40_000) }),
      'invalid_request',
      'parameter is too long: scope',
    )
  })

  test('refuses the grants that this platform does not have', async () => {
    for (const grant_type of [
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:saml2-bearer',
      'assertion',
      '__proto__',
      '',
      'a\0b',
    ]) {
      assertOAuthError(await ask({ grant_type }), 'unsupported_grant_type', 'grant type not supported')
    }
  })
})
