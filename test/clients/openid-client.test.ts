import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as client from 'openid-client'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { systemClock } from '../../src/base/clock.ts'
import { makeApp } from '../support/make-app.ts'
import { statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort, type RealPort } from '../support/real-port.ts'

/* The openid-client of the registry, unmodified, over a real port: it checks every answer against the standards. */

const CALLBACK = 'https://app.example.com/callback'
const SCOPES = ['api', 'openid', 'refresh_token']

let o: TestOrg
let port: RealPort
let clientId: string

before(async () => {
  o = await openOrg()
  port = await openPort()
  const runsAs = { enableClientCredentials: true, runAsUserId: o.userId }
  clientId = await makeApp(o, {
    ...runsAs,
    callbackUrls: [CALLBACK],
    scopes: SCOPES,
    rotateRefreshTokens: true,
  })
})
after(() => port.close())

const discover = (authentication?: client.ClientAuth) =>
  client.discovery(new URL(port.address), clientId, 's', authentication, {
    execute: [client.allowInsecureRequests],
  })

/** Does the work of the pages: the user agrees, and the browser comes back with a code. */
async function agree(
  config: client.Configuration,
): Promise<{ tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers }> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier)
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const agreed = { clientId, org: o.org, userId: o.userId, scopes: SCOPES, redirectUri: CALLBACK }
  const code = await issueCode(o.db, systemClock, { ...agreed, challenge, nonce })
  const url = new URL(`${CALLBACK}?${new URLSearchParams({ code, state })}`)
  const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  return { tokens: await client.authorizationCodeGrant(config, url, checks) }
}

/** Asked at another server than the one that gave or took the token. */
const opens = async (token: string) => (await statusWith(o, token)) === 200

describe('openid-client', () => {
  test('finds every endpoint by discovery', async () => {
    const found = (await discover()).serverMetadata()
    assert.equal(found.issuer, port.address)
    assert.equal(found.supportsPKCE(), true)
  })

  for (const [how, authentication] of [
    ['in the form', client.ClientSecretPost('s')],
    ['by Basic', client.ClientSecretBasic('s')],
  ] as const) {
    test(`gets a token by client credentials, with its secret ${how}`, async () => {
      const { access_token } = await client.clientCredentialsGrant(await discover(authentication))
      assert.ok(await opens(access_token))
    })
  }

  test('exchanges a code with its verifier, and takes the id token and the userinfo for genuine', async () => {
    const config = await discover()
    const { tokens } = await agree(config)
    const { sub } = tokens.claims()!
    assert.equal(sub, `${port.address}/id/${o.org.id}/${o.userId}`)
    const info = await client.fetchUserInfo(config, tokens.access_token, sub)
    assert.equal(info.preferred_username, 'admin@objectry.test')
    assert.ok(await opens(tokens.access_token))
  })

  test('checks the signature of an id token with the keys of this server', async () => {
    const config = await discover()
    client.enableNonRepudiationChecks(config)
    const { tokens } = await agree(config)
    assert.ok(tokens.claims())
  })

  test('refreshes, gets the next refresh token, and is refused once that was revoked', async () => {
    const config = await discover()
    const { tokens } = await agree(config)
    const next = await client.refreshTokenGrant(config, tokens.refresh_token!)
    assert.ok(next.refresh_token !== undefined && next.refresh_token !== tokens.refresh_token)
    assert.ok(await opens(next.access_token))
    await client.tokenRevocation(config, next.refresh_token)
    const isRefused = (error: client.ResponseBodyError) =>
      error.error === 'invalid_grant' && error.error_description === 'expired access/refresh token'
    await assert.rejects(client.refreshTokenGrant(config, next.refresh_token), isRefused)
  })

  test('looks into a token, revokes it, and looks again', async () => {
    const config = await discover()
    const { tokens } = await agree(config)
    const before = await client.tokenIntrospection(config, tokens.access_token)
    assert.deepEqual([before.active, before.username], [true, 'admin@objectry.test'])
    await client.tokenRevocation(config, tokens.access_token)
    assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, false)
    assert.ok(!(await opens(tokens.access_token)))
  })

  test('is refused in words that it understands', async () => {
    const config = await client.discovery(new URL(port.address), clientId, 'wrong', undefined, {
      execute: [client.allowInsecureRequests],
    })
    const isRefused = ({ error, status }: client.ResponseBodyError) =>
      error === 'invalid_client' && status === 400
    await assert.rejects(client.clientCredentialsGrant(config), isRefused)
  })
})
