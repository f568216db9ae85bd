import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection, OAuth2 } from 'jsforce'
import * as client from 'openid-client'
import type { Browser } from 'playwright-core'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { PASSWORD, USERNAME } from '../support/browser-client.ts'
import {
  type CallbackServer,
  CHROMIUM_NEEDED,
  launchChromium,
  openCallbackServer,
} from '../support/chromium.ts'
import { makeApp } from '../support/make-app.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort, type RealPort } from '../support/real-port.ts'

/* The web server flow from end to end: an unmodified client, a person in Chromium, and the token that comes of it. */

describe('the code flow with a browser', CHROMIUM_NEEDED, () => {
  let o: TestOrg
  let port: RealPort
  let callback: CallbackServer
  let browser: Browser
  let clientId: string
  const redirect = () => `${callback.address}/callback`

  before(async () => {
    o = await openOrg()
    await setPassword(o.db, o.org, o.userId, PASSWORD, systemClock)
    ;[port, callback, browser] = await Promise.all([openPort(), openCallbackServer(), launchChromium()])
    clientId = await makeApp(o, { callbackUrls: [redirect()], scopes: ['api', 'openid', 'refresh_token'] })
  })
  after(async () => {
    await browser?.close()
    await callback?.close()
    await port?.close()
  })

  /** A person who logs in and allows what is asked; gives the address that the browser ends at. */
  async function agree(address: string): Promise<URL> {
    const page = await browser.newPage()
    await page.goto(address)
    await page.getByLabel('Username').fill(USERNAME)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForLoadState()
    const allow = page.getByRole('button', { name: 'Allow' })
    if (await allow.isVisible()) await allow.click()
    await page.waitForURL(`${callback.address}/**`)
    const url = new URL(page.url())
    await page.close()
    return url
  }

  test('openid-client: discovery, PKCE, code, id_token, refresh, userinfo', async () => {
    const config = await client.discovery(new URL(port.address), clientId, 's', undefined, {
      execute: [client.allowInsecureRequests],
    })
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirect(),
      scope: 'api openid refresh_token',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const url = await agree(address.href)
    const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, url, checks)
    const { sub } = tokens.claims()!
    const info = await client.fetchUserInfo(config, tokens.access_token, sub)
    assert.equal(info.preferred_username, USERNAME)
    const again = await client.refreshTokenGrant(config, tokens.refresh_token!)
    assert.ok(again.access_token)
  })

  test('jsforce: its own PKCE, and the token opens the data', async () => {
    const oauth2 = new OAuth2({
      loginUrl: port.address,
      clientId,
      clientSecret: 's',
      redirectUri: redirect(),
      useVerifier: true,
    })
    const url = await agree(
      oauth2.getAuthorizationUrl({ scope: 'api refresh_token', prompt: 'login consent' }),
    )
    const conn = new Connection({ oauth2, version: '64.0' })
    await conn.authorize(url.searchParams.get('code')!)
    const { records } = await conn.query(`SELECT Id FROM User WHERE Id = '${o.userId}'`)
    assert.equal(records.length, 1)
  })

  test('another password ends the tokens', async () => {
    const oauth2 = new OAuth2({
      loginUrl: port.address,
      clientId,
      clientSecret: 's',
      redirectUri: redirect(),
    })
    const url = await agree(oauth2.getAuthorizationUrl({ scope: 'api refresh_token', prompt: 'login' }))
    const conn = new Connection({ oauth2, version: '64.0' })
    await conn.authorize(url.searchParams.get('code')!)
    await conn.query('SELECT Id FROM Account LIMIT 1')
    await setPassword(o.db, o.org, o.userId, PASSWORD, systemClock)
    const { setTimeout } = await import('node:timers/promises')
    await setTimeout(1100)
    await assert.rejects(
      async () => conn.query('SELECT Id FROM Account LIMIT 1'),
      /expired|INVALID_SESSION_ID/,
    )
  })
})
