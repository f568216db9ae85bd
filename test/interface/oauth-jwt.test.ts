import assert from 'node:assert/strict'
import { createHmac, createSign, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { approve } from '../../src/auth/authorize/approvals.ts'
import type { AppSettings } from '../../src/auth/oauth/connected-app.ts'
import { ending } from '../../src/auth/tokens/access-locks.ts'
import { sql } from '../../src/base/sql.ts'
import { readConfig, type Texts } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import { makeCertificate } from '../support/certificate.ts'
import { createUser } from '../support/create-user.ts'
import { onPostgres, sharedEngine } from '../support/engine.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, ORIGIN, postForm, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'
import { thisSecond } from '../support/this-second.ts'

const pair = makeCertificate()
const other = makeCertificate()

let org: TestOrg
let clientId: string
const username = 'admin@objectry.test'
const now = thisSecond()
const clock = () => now
const seconds = Math.floor(now.getTime() / 1000)

/** An app with the certificate that the user has approved for work while away. */
async function makeJwtApp(settings: Partial<AppSettings> = {}): Promise<string> {
  const usual = {
    enableJwtBearer: true,
    certificates: pair.certificate,
    scopes: ['api', 'web', 'refresh_token'],
  }
  return makeApp(org, { ...usual, ...settings })
}

const approveFor = (client: string, scopes: readonly string[], userId = org.userId) =>
  approve(org.db, clock, { org: org.org, clientId: client, userId, scopes })

before(async () => {
  org = await openOrg({ clock, settings: { publicUrl: ORIGIN } })
  clientId = await makeJwtApp()
  await approveFor(clientId, ['api', 'refresh_token'])
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An assertion as a client signs it. */
function assertion(claims: object = {}, header: object = {}, { privateKey } = pair): string {
  const usual = { iss: clientId, sub: username, aud: ORIGIN, exp: seconds + 180 }
  const signed = `${encode({ alg: 'RS256', ...header })}.${encode({ ...usual, ...claims })}`
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
}

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const ask = (token: string | undefined) => askToken(org, { grant_type: GRANT, assertion: token })
const give = (token: string) => fetchTokens(org, { grant_type: GRANT, assertion: token })

const assertInvalid = async (token: string) =>
  assertOAuthError(await ask(token), 'invalid_grant', 'invalid assertion')

describe('an assertion', () => {
  test('gives a token of the user, signed with the secret, and no refresh token', async () => {
    const body = await give(assertion())
    assert.equal(body.refresh_token, undefined)
    assert.equal(body.id, `${ORIGIN}/id/${org.org.id}/${org.userId}`)
    assert.equal(
      body.signature,
      createHmac('sha256', 's')
        .update(body.id + body.issued_at)
        .digest('base64'),
    )
    assert.equal(await statusWith(org, body.access_token), 200)
  })

  for (const [client, claims] of [
    [
      'the sf CLI: milliseconds, and a slash at the end',
      { exp: now.getTime() + 300, iat: seconds, aud: `${ORIGIN}/` },
    ],
    [
      'simple-salesforce: a text of seconds, and the host that it always names',
      { exp: String(seconds + 180), aud: 'https://login.salesforce.com' },
    ],
    [
      'go-salesforce: the other such host',
      { exp: String(seconds + 180), aud: 'https://test.salesforce.com' },
    ],
    ['restforce: a host without a scheme', { aud: 'records.example.com' }],
    ['n8n: a number and this address', { exp: seconds + 180 }],
    ['a library: the token endpoint', { aud: `${ORIGIN}/services/oauth2/token` }],
    ['an old client: prn in place of sub', { sub: undefined, prn: username }],
    ['one whose clock is three minutes late', { exp: seconds - 179 }],
    ['one that names the user in capitals', { sub: username.toUpperCase() }],
  ] as const) {
    test(`is taken as it comes from ${client}`, async () => {
      await give(assertion(claims))
    })
  }

  test('is taken with any of several certificates', async () => {
    const certificates = `${other.certificate}\r\n${pair.certificate}`
    const app = await makeJwtApp({ certificates })
    await approveFor(app, ['refresh_token', 'api'])
    await give(assertion({ iss: app }))
    await give(assertion({ iss: app }, {}, other))
  })

  test('carries what the user has approved with a refresh scope, all of it, and nothing that the app has lost', async () => {
    const app = await makeJwtApp({ scopes: ['api', 'web', 'refresh_token'] })
    await approveFor(app, ['id', 'refresh_token'])
    await approveFor(app, ['api', 'refresh_token'])
    await approveFor(app, ['web'])
    const { scope } = await give(assertion({ iss: app }))
    assert.deepEqual(scope.split(' ').sort(), ['api', 'refresh_token'])
  })
})

const LENIENT_AUDIENCES = [
  'login.salesforce.com',
  ['https://login.salesforce.com'],
  [ORIGIN],
  ['x', `${ORIGIN}/services/oauth2/token`],
]

describe('an assertion is refused', () => {
  test('when it is no assertion', async () => {
    assertOAuthError(await ask(undefined), 'invalid_request', 'missing required parameter: assertion')
    const parts = assertion().split('.')
    const odd = [
      'x',
      'a.b',
      'a.b.c',
      '...',
      parts.slice(0, 2).join('.'),
      'x'.repeat(20_000),
      `${parts[0]}.${encode([])}.x`,
    ]
    for (const token of [...odd, `${parts[0]}.${encode({ iss: 5 })}.x`, '日本.日本.日本', 'a\0b.c.d'])
      await assertInvalid(token)
  })

  test('for an unknown app, and one that does not take them', async () => {
    assertOAuthError(
      await ask(assertion({ iss: 'nobody' })),
      'invalid_client_id',
      'client identifier invalid',
    )
    assertOAuthError(await ask(assertion({ iss: 'a\0b' })), 'invalid_client_id')
    for (const settings of [{ enableJwtBearer: false }, { certificates: null }]) {
      const app = await makeJwtApp(settings)
      assertOAuthError(
        await ask(assertion({ iss: app })),
        'unsupported_grant_type',
        'grant type not supported',
      )
    }
    assertOAuthError(await ask(assertion({ iss: 'PlatformCLI' })), 'unsupported_grant_type')
  })

  test('when another key has signed it, or what it says was changed', async () => {
    await assertInvalid(assertion({}, {}, other))
    const [header, , signature] = assertion().split('.')
    await assertInvalid(
      `${header}.${encode({ iss: clientId, sub: username, aud: ORIGIN, exp: seconds + 999 })}.${signature}`,
    )
  })

  test('when it is not signed at all, whatever its header says', async () => {
    const claims = encode({ iss: clientId, sub: username, aud: ORIGIN, exp: seconds + 180 })
    for (const alg of ['none', 'None', 'NONE', '']) await assertInvalid(`${encode({ alg })}.${claims}.`)
    await assertInvalid(`${encode({ alg: 'RS256' })}.${claims}.`)
  })

  test('when it is signed with the certificate as if that were a secret', async () => {
    const claims = encode({ iss: clientId, sub: username, aud: ORIGIN, exp: seconds + 180 })
    const signed = `${encode({ alg: 'HS256' })}.${claims}`
    for (const key of [pair.certificate, pair.certificate.trim()]) {
      await assertInvalid(`${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`)
    }
  })

  test('when it brings its own key, or demands what this server does not know', async () => {
    const jwk = other.privateKey.export({ format: 'jwk' })
    await assertInvalid(assertion({}, { jwk: { kty: jwk.kty, n: jwk.n, e: jwk.e } }, other))
    for (const crit of [['exp'], ['b64'], ['x-unknown'], [], null, 'exp'])
      await assertInvalid(assertion({}, { crit, exp: 1, b64: true, 'x-unknown': 1 }))
    await assertInvalid(assertion({}, { alg: 'RS512' }))
  })

  test('when the key is shorter than 2048 bits', async () => {
    const weak = makeCertificate(1024)
    const app = await makeJwtApp({ certificates: weak.certificate })
    await approveFor(app, ['api', 'refresh_token'])
    await assertInvalid(assertion({ iss: app }, {}, weak))
  })

  test('when it has ended, or says nothing of an end, or begins later', async () => {
    const ended = [seconds - 181, String(seconds - 181), (seconds - 181) * 1000]
    for (const exp of [...ended, undefined, null, '', 'soon', [], 0]) await assertInvalid(assertion({ exp }))
    await assertInvalid(assertion({ nbf: seconds + 600 }))
  })

  test('when it was made for somebody else', async () => {
    const strangers = [
      'https://evil.example',
      'https://records.example.com.evil.example',
      '',
      '/',
      5,
      null,
      undefined,
      [],
      {},
      ...LENIENT_AUDIENCES,
    ]
    for (const aud of strangers) {
      assertOAuthError(await ask(assertion({ aud })), 'invalid_grant', 'audience is invalid')
    }
  })

  /** Asks with audiences at a server with other settings. */
  async function openAt(more: Texts) {
    const there = await openOrg({ clock, settings: { publicUrl: ORIGIN, ...more } })
    const settings = {
      enableJwtBearer: true,
      certificates: pair.certificate,
      scopes: ['api', 'refresh_token'],
    }
    const app = await makeApp(there, settings)
    const { org: at, userId } = there
    await approve(there.db, clock, { org: at, clientId: app, userId, scopes: ['api', 'refresh_token'] })
    return (aud: unknown) => askToken(there, { grant_type: GRANT, assertion: assertion({ iss: app, aud }) })
  }

  test('for a list of audiences, or a host of others without its scheme, unless the setting is lenient', async () => {
    const askAt = await openAt({ lenient: 'true' })
    for (const aud of LENIENT_AUDIENCES) {
      assertOAuthError(await ask(assertion({ aud })), 'invalid_grant', 'audience is invalid')
      assert.equal((await askAt(aud)).status, 200)
    }
  })

  test('for hosts of others, when the setting names other ones', async () => {
    const askAt = await openAt({ jwtAudiences: 'https://tokens.example.org, other' })
    assertOAuthError(await askAt('https://login.salesforce.com'), 'invalid_grant', 'audience is invalid')
    assert.equal((await askAt('tokens.example.org/')).status, 200)
    assert.equal((await askAt(ORIGIN)).status, 200)
  })

  test('for the host that the request names, unless that is this machine or the server is known to be there', async () => {
    const there = await openOrg({ clock })
    const settings = {
      enableJwtBearer: true,
      certificates: pair.certificate,
      scopes: ['api', 'refresh_token'],
    }
    const app = await makeApp(there, settings)
    const { org: at, userId } = there
    await approve(there.db, clock, { org: at, clientId: app, userId, scopes: ['api', 'refresh_token'] })
    const askAt = (host: string) => {
      const signed = assertion({ iss: app, aud: `http://${host}` })
      return postForm(there, 'token', { grant_type: GRANT, assertion: signed }, { host })
    }
    for (const host of [
      'records.example.com',
      '10.0.0.5:8080',
      'localhost.example.com',
      '127.0.0.1.example',
    ]) {
      assertOAuthError(await askAt(host), 'invalid_grant', 'audience is invalid')
    }
    for (const host of ['127.0.0.1:8080', 'localhost:8080', 'acme.localhost', '[::1]:8080']) {
      assert.equal((await askAt(host)).status, 200, host)
    }
    const own = `${randomUUID()}.example.com`
    await there.db.query(sql`update objectry.org set host = ${own} where id = ${at.id}`)
    there.services.hosts.forget()
    assert.equal((await askAt(own)).status, 200)
  })

  test('when its id was used before, at any server; without an id it may come again', async () => {
    const first = assertion({ jti: 'a' })
    await give(first)
    await assertInvalid(first)
    await assertInvalid(assertion({ jti: 'a', exp: seconds + 200 }))
    const config = readConfig({}, { logLevel: 'silent', publicUrl: ORIGIN })
    const { server } = assemble(await sharedEngine(), config, clock, SECRETS)
    const elsewhere = await postForm({ server }, 'token', { grant_type: GRANT, assertion: first })
    assertOAuthError(elsewhere, 'invalid_grant', 'invalid assertion')
    const several = await Promise.all([1, 2, 3].map(() => ask(assertion({ jti: 'b' }))))
    assert.deepEqual(several.map(({ status }) => status).sort(), [200, 400, 400])
    await give(assertion({ jti: 'far', exp: now.getTime() * 1000 }))
    const none = assertion()
    await give(none)
    await give(none)
  })

  test('an assertion for which no token was given may come again', {
    skip: !onPostgres && 'the embedded engine has one connection',
  }, async () => {
    const sent = assertion({ jti: 'given later' })
    await ending(org.db, org.org, { userIds: [org.userId] }, () =>
      besideCalls(async () => assert.equal((await ask(sent)).status, 503)),
    )
    await give(sent)
  })

  test('with an id that another app has used, or that is used by nothing that was refused, is no reason', async () => {
    const app = await makeJwtApp()
    assertOAuthError(await ask(assertion({ iss: app, jti: 'shared' })), 'invalid_grant')
    await approveFor(app, ['api', 'refresh_token'])
    await give(assertion({ iss: app, jti: 'shared' }))
    await give(assertion({ jti: 'shared' }))
  })

  test('when the user has never approved the app, or not for work while away; the audience is judged first', async () => {
    const app = await makeJwtApp()
    const text = "user hasn't approved this consumer"
    assertOAuthError(await ask(assertion({ iss: app })), 'invalid_grant', text)
    await approveFor(app, ['api'])
    assertOAuthError(await ask(assertion({ iss: app })), 'invalid_grant', text)
    assertOAuthError(await ask(assertion({ iss: app, aud: 'x' })), 'invalid_grant', 'audience is invalid')
    assertOAuthError(await ask(assertion({ sub: 'nobody@objectry.test' })), 'invalid_grant', text)
    assertOAuthError(await ask(assertion({ sub: 'a\0b' })), 'invalid_grant', text)
  })

  test('for a user who is not active, and a blocked app', async () => {
    await createUser(org, 'left', { IsActive: false })
    assertOAuthError(await ask(assertion({ sub: 'left@objectry.test' })), 'inactive_user', 'user is inactive')
    const blocked = await makeJwtApp({ isBlocked: true })
    assertOAuthError(await ask(assertion({ iss: blocked })), 'OAUTH_APP_BLOCKED')
  })
})

describe('an app for which the administrator decides', () => {
  const refusal = ['invalid_app_access', 'user is not admin approved to access this app'] as const
  let app: string
  let recordId: string

  before(async () => {
    app = await makeJwtApp({ permittedUsers: 'AdminApproved' })
    const { body } = await org.call('GET', `/sobjects/ConnectedApplication/ConsumerKey/${app}?fields=Id`)
    recordId = body.Id
  })

  test('refuses whom no permission set lets in, approval or not', async () => {
    await approveFor(app, ['api', 'refresh_token'])
    assertOAuthError(await ask(assertion({ iss: app })), ...refusal)
  })

  test('lets in a user with a permission set for it, with all scopes of the app', async () => {
    const set = await org.create('PermissionSet', { Name: 'Integration', Label: 'Integration' })
    await org.create('SetupEntityAccess', { ParentId: set, SetupEntityId: recordId })
    assertOAuthError(await ask(assertion({ iss: app })), ...refusal)
    const assigned = await org.create('PermissionSetAssignment', {
      PermissionSetId: set,
      AssigneeId: org.userId,
    })
    assert.equal((await give(assertion({ iss: app }))).scope, 'api web refresh_token')
    assert.equal((await org.call('DELETE', `/sobjects/PermissionSetAssignment/${assigned}`)).status, 204)
    assertOAuthError(await ask(assertion({ iss: app })), ...refusal)
  })

  test('lets in a user whose profile has a permission set for it', async () => {
    const set = await org.create('PermissionSet', { Name: 'OfProfile', Label: 'Of a profile' })
    const { body } = await org.call('GET', `/sobjects/User/${org.userId}?fields=ProfileId`)
    // Which set belongs to a profile is for the platform to say, so no client can.
    const table = sql.id(org.org.schemaName, 'permissionset')
    await org.db.query(sql`update ${table} set profileid = ${body.ProfileId} where id = ${set}`)
    await org.create('SetupEntityAccess', { ParentId: set, SetupEntityId: recordId })
    await give(assertion({ iss: app }))
  })
})
