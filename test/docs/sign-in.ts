import { createSign } from 'node:crypto'
import { hashToken } from '../../src/auth/oauth/token-text.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { type Browser, CALLBACK, openBrowser, PASSWORD, USERNAME } from '../support/browser-client.ts'
import { makeCertificate } from '../support/certificate.ts'
import { makeApp } from '../support/make-app.ts'
import type { TestOrg } from '../support/org.ts'
import type { Fixture } from './fixtures.ts'

const HOST = 'sign-in.example.com'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An app that signs its assertions, opened to the administrator; gives an assertion for that user. */
async function makeAssertion(org: TestOrg): Promise<string> {
  const { certificate, privateKey } = makeCertificate()
  const settings = {
    certificates: certificate,
    enableJwtBearer: true,
    permittedUsers: 'AdminApproved' as const,
  }
  const clientId = await makeApp(org, { name: 'Signed', ...settings })
  const set = await org.create('PermissionSet', { Name: 'Signed', Label: 'Signed' })
  const apps = await org.call('GET', "/query?q=SELECT+Id+FROM+ConnectedApplication+WHERE+Name='Signed'")
  await org.create('SetupEntityAccess', { ParentId: set, SetupEntityId: apps.body.records[0].Id })
  await org.create('PermissionSetAssignment', { PermissionSetId: set, AssigneeId: org.userId })
  const claims = {
    iss: clientId,
    sub: USERNAME,
    aud: `http://${HOST}`,
    exp: Math.floor(Date.now() / 1000) + 180,
  }
  const signed = `${encode({ alg: 'RS256' })}.${encode(claims)}`
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
}

/** Agrees to the app "Report builder" once, so that it is given codes from then on. */
async function approve(browser: Browser, clientId: string): Promise<void> {
  const parameters = { response_type: 'code', client_id: clientId, redirect_uri: CALLBACK }
  const page = await browser.get(`/services/oauth2/authorize?${new URLSearchParams(parameters)}`)
  await browser.submit(page, { decision: 'approve' })
}

/** An app of the web server flow, a browser in which the administrator is logged in and has agreed, an assertion. */
export const SIGN_IN: Fixture = {
  options: { host: HOST },
  headers: { host: HOST },
  async prepare(org) {
    const browser = openBrowser(org, HOST)
    await setPassword(org.db, org.org, org.userId, PASSWORD, systemClock, {
      kept: { accessTokens: [hashToken(org.token)] },
    })
    await browser.logIn()
    const web = {
      callbackUrls: [CALLBACK],
      scopes: ['api', 'id', 'openid', 'refresh_token'],
      rotateRefreshTokens: true,
    }
    const secret = '4ab4d5a31af4f7f9e245fc779fdb3326'
    const clientId = await makeApp(org, { name: 'Report builder', ...web }, secret)
    await approve(browser, clientId)
    return {
      '<web client id>': clientId,
      '<web client secret>': secret,
      '<browser session>': [...browser.cookies].map((cookie) => cookie.join('=')).join('; '),
      '<assertion>': await makeAssertion(org),
    }
  },
}
