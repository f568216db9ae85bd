import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp, makePublicApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, ORIGIN, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

/* The web server flow, from the code on: the pages that give one are elsewhere. */

const CALLBACK = 'https://app.example.com/callback'

let org: TestOrg
let now = thisSecond()
const clock = () => now
let clientId: string

before(async () => {
  org = await openOrg({ clock })
  clientId = await makeApp(org, { callbackUrls: [CALLBACK], scopes: ['api', 'refresh_token'] })
})

interface Agreed {
  readonly clientId?: string
  readonly userId?: string
  readonly scopes?: readonly string[]
  readonly challenge?: string
  readonly redirectUri?: string
}

const code = (agreed: Agreed = {}) =>
  issueCode(org.db, clock, {
    ...{
      clientId,
      org: org.org,
      userId: org.userId,
      scopes: ['api', 'refresh_token'],
      redirectUri: CALLBACK,
    },
    ...agreed,
  })

const exchange = (text: string, more: object = {}) => ({
  grant_type: 'authorization_code',
  code: text,
  client_id: clientId,
  client_secret: 's',
  redirect_uri: CALLBACK,
  ...more,
})

/** As jsforce and the sf CLI make them: 171 characters. */
const makeVerifier = () => randomBytes(128).toString('base64url')
const makeChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

describe('a code', () => {
  test('is exchanged for an access token and a refresh token, in the forms that clients know', async () => {
    const text = await code()
    assert.match(text, /^aPrx[A-Za-z0-9._]+$/)
    const body = await fetchTokens(org, exchange(text))
    assert.deepEqual(Object.keys(body).sort(), [
      ...['access_token', 'id', 'instance_url', 'issued_at', 'refresh_token', 'scope', 'signature'],
      ...['token_format', 'token_type'],
    ])
    assert.match(body.refresh_token, /^5Aep861[A-Za-z0-9._]{80}$/)
    assert.equal(body.id, `${ORIGIN}/id/${org.org.id}/${org.userId}`)
    assert.equal(body.scope, 'api refresh_token')
    const signature = createHmac('sha256', 's')
      .update(body.id + body.issued_at)
      .digest('base64')
    assert.equal(body.signature, signature)
    assert.equal(await statusWith(org, body.access_token), 200)
  })

  test('gives no refresh token without a refresh scope, or when the policy ends them at once', async () => {
    const full = await makeApp(org, { scopes: ['full', 'refresh_token'] })
    const more = { client_id: full }
    const { refresh_token } = await fetchTokens(
      org,
      exchange(await code({ clientId: full, scopes: ['full'] }), more),
    )
    assert.equal(refresh_token, undefined)
    const brief = await makeApp(org, { scopes: ['api', 'refresh_token'], refreshTokenPolicy: 'Immediately' })
    const body = await fetchTokens(org, exchange(await code({ clientId: brief }), { client_id: brief }))
    assert.equal(body.refresh_token, undefined)
  })

  test('comes with its own secret wanted, or none where the app says so', async () => {
    const { client_secret, ...bare } = exchange(await code())
    assertOAuthError(await askToken(org, bare), 'invalid_client', 'invalid client credentials')
    const lax = await makeApp(org, { requireSecretForWebFlow: false, scopes: ['api', 'refresh_token'] })
    const body = await fetchTokens(org, { ...bare, code: await code({ clientId: lax }), client_id: lax })
    const signature = createHmac('sha256', 's')
      .update(body.id + body.issued_at)
      .digest('base64')
    assert.equal(body.signature, signature)
    const wrong = { ...bare, code: await code({ clientId: lax }), client_id: lax, client_secret: 'wrong' }
    assertOAuthError(await askToken(org, wrong), 'invalid_client')
    const open = await makePublicApp(org, { scopes: ['api', 'refresh_token'] })
    assert.ok(
      (await fetchTokens(org, { ...bare, code: await code({ clientId: open }), client_id: open }))
        .access_token,
    )
  })

  test('of the built-in client needs no secret, in whatever org', async () => {
    const more = {
      client_id: 'PlatformCLI',
      client_secret: undefined,
      redirect_uri: 'http://localhost:1717/OauthRedirect',
    }
    const agreed = {
      clientId: 'PlatformCLI',
      redirectUri: more.redirect_uri,
      scopes: ['refresh_token', 'api', 'web'],
    }
    const body = await fetchTokens(org, exchange(await code(agreed), more))
    assert.equal(await statusWith(org, body.access_token), 200)
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: 'PlatformCLI',
    }
    assert.equal(await statusWith(org, (await fetchTokens(org, refresh)).access_token), 200)
  })

  test('that comes a second time is refused, and everything that it gave is revoked', async () => {
    const text = await code()
    const body = await fetchTokens(org, exchange(text))
    const again = await fetchTokens(org, {
      ...{ grant_type: 'refresh_token', refresh_token: body.refresh_token },
      ...{ client_id: clientId, client_secret: 's' },
    })
    assertOAuthError(await askToken(org, exchange(text)), 'invalid_grant', 'expired authorization code')
    assert.equal(await statusWith(org, body.access_token), 401)
    assert.equal(await statusWith(org, again.access_token), 401)
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: clientId }
    assertOAuthError(
      await askToken(org, { ...refresh, client_secret: 's' }),
      'invalid_grant',
      'expired access/refresh token',
    )
  })

  test('that comes from several sides at once is given to one of them at most, and then to none', async () => {
    const text = await code()
    const answers = await Promise.all(Array.from({ length: 6 }, () => askToken(org, exchange(text))))
    const given = answers.filter(({ status }) => status === 200)
    assert.equal(given.length, 1)
    assert.equal(await statusWith(org, given[0]!.body.access_token), 401)
  })

  test('lives fifteen minutes', async () => {
    const [early, late] = [await code(), await code()]
    now = new Date(now.getTime() + 14 * 60_000)
    await fetchTokens(org, exchange(early))
    now = new Date(now.getTime() + 60_000)
    assertOAuthError(await askToken(org, exchange(late)), 'invalid_grant', 'expired authorization code')
  })

  test("is refused when it is nobody's, or another client's, which it does not harm", async () => {
    for (const text of ['aPrxnonsense', 'a\0b', 'x'.repeat(5000), '日本']) {
      assertOAuthError(await askToken(org, exchange(text)), 'invalid_grant', 'invalid authorization code')
    }
    const other = await makeApp(org)
    const text = await code()
    const stolen = exchange(text, { client_id: other })
    assertOAuthError(await askToken(org, stolen), 'invalid_grant', 'invalid authorization code')
    await fetchTokens(org, exchange(text))
  })

  test('goes back to the callback that asked for it, letter by letter', async () => {
    const text = await code()
    for (const redirect_uri of [
      `${CALLBACK}/`,
      CALLBACK.toUpperCase(),
      `${CALLBACK}?x=1`,
      'https://evil.example',
    ]) {
      const answer = await askToken(org, exchange(text, { redirect_uri }))
      assertOAuthError(answer, 'redirect_uri_mismatch', 'redirect_uri must match configuration')
    }
    assertOAuthError(await askToken(org, exchange(text, { redirect_uri: undefined })), 'invalid_request')
    await fetchTokens(org, exchange(text))
  })

  test('of a user who has left, or whom the administrator no longer lets in, is refused', async () => {
    const userId = await createUser(org, 'leaver', { IsActive: false })
    assertOAuthError(
      await askToken(org, exchange(await code({ userId }))),
      'inactive_user',
      'user is inactive',
    )
    const closed = await makeApp(org, { permittedUsers: 'AdminApproved', scopes: ['api', 'refresh_token'] })
    assertOAuthError(
      await askToken(org, exchange(await code({ clientId: closed }), { client_id: closed })),
      'invalid_app_access',
      'user is not admin approved to access this app',
    )
  })

  test('of a blocked app is refused', async () => {
    const blocked = await makeApp(org, { isBlocked: true })
    const answer = await askToken(org, exchange(await code({ clientId: blocked }), { client_id: blocked }))
    assertOAuthError(answer, 'OAUTH_APP_BLOCKED')
  })
})

describe('a code with a challenge', () => {
  test('is exchanged with the verifier, of 43 to 256 characters, without a method', async () => {
    for (const verifier of ['v'.repeat(43), makeVerifier(), `${'v'.repeat(255)}~`]) {
      const text = await code({ challenge: makeChallenge(verifier) })
      await fetchTokens(org, exchange(text, { code_verifier: verifier }))
    }
  })

  test('is refused with another verifier, one that is too short, or none; and the code is not lost', async () => {
    const verifier = makeVerifier()
    const text = await code({ challenge: makeChallenge(verifier) })
    for (const code_verifier of [makeVerifier(), '', 'short', makeChallenge(verifier), `${verifier}\0`]) {
      const answer = await askToken(org, exchange(text, { code_verifier }))
      assertOAuthError(answer, 'invalid_grant', 'invalid code verifier')
    }
    assertOAuthError(await askToken(org, exchange(text)), 'invalid_grant', 'missing code verifier')
    await fetchTokens(org, exchange(text, { code_verifier: verifier }))
  })

  test('means its hash: the challenge itself is no verifier', async () => {
    const challenge = 'p'.repeat(43)
    const answer = await askToken(org, exchange(await code({ challenge }), { code_verifier: challenge }))
    assertOAuthError(answer, 'invalid_grant', 'invalid code verifier')
  })

  test('cannot be had by leaving the challenge out on the way: then a verifier is refused', async () => {
    const answer = await askToken(org, exchange(await code(), { code_verifier: makeVerifier() }))
    assertOAuthError(answer, 'invalid_grant', 'invalid code verifier')
  })

  test('is what an app may demand', async () => {
    const strict = await makeApp(org, { requirePkce: true })
    const answer = await askToken(org, exchange(await code({ clientId: strict }), { client_id: strict }))
    assertOAuthError(answer, 'invalid_grant', 'missing required code challenge')
  })
})
