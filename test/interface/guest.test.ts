import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { decidesAccess } from '../../src/access/guards.ts'
import { SYSTEM_PERMISSION_NAMES } from '../../src/access/system-permission.ts'
import { visibleTo } from '../../src/access/visible-to.ts'
import { approve } from '../../src/auth/authorize/approvals.ts'
import { makeFamily } from '../../src/auth/oauth/token-text.ts'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { approveDevice, findUserCode } from '../../src/auth/tokens/device-codes.ts'
import { issueRefreshToken } from '../../src/auth/tokens/refresh-tokens.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { findAdministrator } from '../../src/auth/users/users.ts'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import { SESSION_COOKIE } from '../../src/http/pages/cookies.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { alertIn, type BrowserClient, openBrowserClient, PASSWORD } from '../support/browser-client.ts'
import { makeCertificate } from '../support/certificate.ts'
import { makeApp } from '../support/make-app.ts'
import { assertOAuthError, type Parameters, postForm } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { allow } from '../support/people.ts'

interface Guest {
  readonly Id: string
  readonly Username: string
  readonly ProfileId: string
}

async function fetchGuest(o: TestOrg): Promise<Guest> {
  const guests = await fetchRecords(o, "SELECT Id, Username, ProfileId FROM User WHERE UserType = 'Guest'")
  assert.equal(guests.length, 1)
  return guests[0] as unknown as Guest
}

const loadCaller = ({ services, org }: TestOrg) => services.runtimes.of(org).callers.guest()

/** The objects with data that the guest has. */
async function loadObjects(o: TestOrg): Promise<string[]> {
  const { access } = (await loadCaller(o))!
  const schema = await o.services.runtimes.of(o.org).snapshots.current()
  return visibleTo(access, schema).objects.flatMap(({ name }) => (decidesAccess(name) ? [] : name))
}

describe('the guest of a new org', () => {
  let o: TestOrg
  let guest: Guest

  before(async () => {
    o = await openOrg()
    guest = await fetchGuest(o)
  })

  test('is one active user with a profile and a permission set of its own', async () => {
    assert.equal(guest.Username, `guest@${o.org.id.toLowerCase()}.site`)
    const { body } = await o.call('GET', `/sobjects/User/${guest.Id}`)
    assert.deepEqual(
      [body.LastName, body.Alias, body.Email, body.IsActive],
      ['Site Guest', 'guest', 'guest@site.invalid', true],
    )
    const profiles = await fetchRecords(o, "SELECT Id, Name FROM Profile WHERE UserType = 'Guest'")
    assert.deepEqual(profiles, [{ Id: guest.ProfileId, Name: 'Guest' }])
    const sets = await fetchRecords(
      o,
      `SELECT Label FROM PermissionSet WHERE ProfileId = '${guest.ProfileId}'`,
    )
    assert.deepEqual(sets, [{ Label: 'Guest' }])
  })

  test('may do nothing in the whole org, not even call', async () => {
    const { access } = (await loadCaller(o))!
    assert.deepEqual(
      SYSTEM_PERMISSION_NAMES.filter((permission) => access.has(permission)),
      [],
    )
  })

  test('has no object but what its profile grants from now on', async () => {
    const caller = await loadCaller(o)
    assert.equal(caller?.user.id, guest.Id)
    assert.equal(await loadCaller(o), caller)
    assert.deepEqual(await loadObjects(o), [])
    const ofProfile = `ProfileId = '${guest.ProfileId}'`
    const [set] = await fetchRecords(o, `SELECT Id FROM PermissionSet WHERE ${ofProfile}`)
    const right = await allow(o, String(set!.Id), 'Account', 'Read')
    assert.deepEqual(await loadObjects(o), ['Account'])
    await o.call('DELETE', `/sobjects/ObjectPermissions/${right}`)
    assert.deepEqual(await loadObjects(o), [])
  })

  test('is away while it is not active', async () => {
    const path = `/setup/orgs/current/users/${guest.Id}`
    assert.equal((await o.call('POST', `${path}/deactivate`)).status, 204)
    assert.equal(await loadCaller(o), undefined)
    assert.equal((await o.call('POST', `${path}/activate`)).status, 204)
    assert.equal((await loadCaller(o))?.user.id, guest.Id)
  })

  test('gets no password', async () => {
    const path = `/setup/orgs/current/users/${guest.Username}/password`
    const message = 'A guest user has no password and cannot log in'
    assertRefused(await o.call('POST', path, { body: {} }), 400, 'INVALID_INPUT', message)
  })

  test('is no administrator, whatever its profile grants', async () => {
    const granted = { PermissionsManageUsers: true, PermissionsCustomizeApplication: true }
    const path = `/sobjects/Profile/${guest.ProfileId}`
    assert.equal((await o.call('PATCH', path, { body: granted })).status, 204)
    const user = sql.id(o.org.schemaName, 'user')
    await o.db.query(
      sql`update ${user} set createddate = timestamptz '2020-01-01T00:00:00Z' where id = ${guest.Id}`,
    )
    assert.equal((await findAdministrator(o.db, o.org))?.id, o.userId)
    assertRefused(
      await o.call('POST', `/setup/orgs/current/users/${o.userId}/deactivate`),
      400,
      'FIELD_INTEGRITY_EXCEPTION',
      /^An org needs an active user/,
    )
  })
})

describe('a guest with a password, apps that name it, and codes in its name', () => {
  const { privateKey, certificate } = makeCertificate()
  const scopes = ['api', 'refresh_token']
  const redirectUri = 'https://app.example.com/cb'
  const proof = { client_secret: 's' }
  let o: BrowserClient
  let guest: Guest
  let client_id: string

  before(async () => {
    o = await openBrowserClient({ settings: { allowPasswordFlow: 'true' } })
    guest = await fetchGuest(o)
    await setPassword(o.db, o.org, guest.Id, PASSWORD, systemClock)
    client_id = await makeApp(o, {
      ...{ scopes, runAsUserId: guest.Id, certificates: certificate },
      ...{ enableClientCredentials: true, enableJwtBearer: true, enableDeviceFlow: true },
    })
    await approve(o.db, systemClock, { org: o.org, clientId: client_id, userId: guest.Id, scopes })
  })

  const ask = (parameters: Parameters) =>
    postForm(o, 'token', { client_id, ...proof, ...parameters }, { host: o.host })

  async function assertNoToken(parameters: Parameters, description = 'user is a guest'): Promise<void> {
    assertOAuthError(await ask(parameters), 'inactive_user', description)
  }

  test('do not log in', async () => {
    const browser = o.open()
    const answer = await browser.logIn(guest.Username)
    assert.equal(answer.status, 400)
    assert.match(alertIn(answer)!, /^This user is not active\./)
    assert.equal(browser.cookies.has(SESSION_COOKIE), false)
  })

  test('get no token by the password', async () => {
    const given = { grant_type: 'password', username: guest.Username, password: PASSWORD }
    await assertNoToken(given, 'user is inactive')
  })

  test('get no token by client credentials', () => assertNoToken({ grant_type: 'client_credentials' }))

  test('get no token by an assertion', async () => {
    const claims = { iss: client_id, sub: guest.Username, aud: `http://${o.host}` }
    const assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .setExpirationTime('3m')
      .sign(privateKey)
    await assertNoToken({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  })

  test('get no token by a code, a refresh token or a device', async () => {
    const { db, org } = o
    const given = { org, clientId: client_id, userId: guest.Id, scopes }
    const code = await issueCode(db, systemClock, { ...given, redirectUri })
    await assertNoToken({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const now = systemClock().getTime() / 1000
    const refresh_token = await issueRefreshToken(db, now, { ...given, family: makeFamily() })
    await assertNoToken({ grant_type: 'refresh_token', refresh_token })
    const { body } = await ask({ response_type: 'device_code' })
    const device = (await findUserCode(db, body.user_code, systemClock))!
    assert.ok(await approveDevice(db, systemClock, device, guest.Id))
    await assertNoToken({ grant_type: 'device', code: body.device_code })
  })
})
