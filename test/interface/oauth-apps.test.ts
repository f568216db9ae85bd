import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listApps } from '../../src/auth/apps/find-app.ts'
import { registerClient } from '../../src/auth/apps/register-client.ts'
import { sql } from '../../src/base/sql.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { makeCertificate } from '../support/certificate.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort } from '../support/real-port.ts'
import { SECRETS } from '../support/secrets.ts'
import { thisSecond } from '../support/this-second.ts'

const APPS = '/setup/orgs/current/apps'

let org: TestOrg
let now = thisSecond()

before(async () => {
  org = await openOrg({ clock: () => now, settings: { sessionSeconds: '86400' } })
})

const credentials = (client_id: string, client_secret: string) => ({
  grant_type: 'client_credentials',
  client_id,
  client_secret,
})

async function create(body: object) {
  const answer = await org.call('POST', APPS, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

describe('an app of the admin API', () => {
  test('gets a client id and a secret that are shown once, in the forms that clients know', async () => {
    const app = await create({ name: 'Integration', scopes: ['api', 'id'], runAs: 'ADMIN@objectry.test' })
    assert.match(app.clientId, /^3MVG9[A-Za-z0-9._]{80}$/)
    assert.match(app.clientSecret, /^[0-9a-f]{64}$/)
    const { scope, id } = await fetchTokens(org, credentials(app.clientId, app.clientSecret))
    assert.equal(scope, 'api id')
    assert.ok(id.endsWith(org.userId))
    const listed = await org.call('GET', APPS)
    assert.ok(!listed.text.includes(app.clientSecret))
    const found = listed.body.find(({ clientId }: { clientId: string }) => clientId === app.clientId)
    assert.deepEqual(found, {
      ...{ id: app.id, clientId: app.clientId, name: 'Integration', scopes: ['api', 'id'] },
      ...{ isPublic: false, isBlocked: false, calls: 0, dailyCallBudget: null },
    })
  })

  test('is a record of the org, and what it is allowed is changed there', async () => {
    const runAs = await createUser(org, 'runner')
    const app = await create({
      name: 'Changed',
      runAs,
      callbackUrls: ['https://a.example/cb', 'http://localhost:1717/x'],
    })
    const { body } = await org.call('GET', `/sobjects/ConnectedApplication/${app.id}`)
    assert.equal(body.ConsumerKey, app.clientId)
    assert.equal(body.CallbackUrls, 'https://a.example/cb\nhttp://localhost:1717/x')
    assert.deepEqual([body.RunAsUserId, body.EnableClientCredentials, body.RequirePkce], [runAs, true, false])
    const change = async (fields: object) =>
      assert.equal(
        (await org.call('PATCH', `/sobjects/ConnectedApplication/${app.id}`, { body: fields })).status,
        204,
      )
    const ask = () => askToken(org, credentials(app.clientId, app.clientSecret))
    await change({ Scopes: 'web;api', RunAsUserId: org.userId })
    assert.equal((await ask()).body.scope, 'api web')
    await change({ EnableClientCredentials: false })
    assertOAuthError(await ask(), 'unsupported_grant_type', 'grant type not supported')
  })

  test('may be public, with no secret and no user to run as', async () => {
    const app = await create({ name: 'Mobile', public: true, callbackUrls: ['myapp://done'] })
    assert.equal(app.clientSecret, null)
    for (const secret of ['', 'guess']) {
      assertOAuthError(await askToken(org, credentials(app.clientId, secret)), 'invalid_client')
    }
    const refused = await org.call('POST', APPS, { body: { name: 'x', public: true, runAs: org.userId } })
    assertRefused(refused, 400, 'JSON_PARSER_ERROR', /public app/)
  })

  test('is refused with anything that it could not work with', async () => {
    const weak = makeCertificate(1024).certificate
    const bodies: [object, RegExp][] = [
      [{}, /"name" is missing/],
      [{ name: ' ' }, /"name" is missing/],
      [{ name: 'x'.repeat(81) }, /at most 80/],
      [{ name: 'a\0b' }, /at most 80/],
      [{ name: 'x', scopes: ['api', 'everything'] }, /Scopes are api/],
      [{ name: 'x', callbackUrls: ['not a url'] }, /callback URL/],
      [{ name: 'x', callbackUrls: ['https://a.example/#part'] }, /callback URL/],
      [{ name: 'x', runAs: 'nobody@objectry.test' }, /no user/],
      [{ name: 'x', runAs: 'a\0b' }, /no user/],
      [{ name: 'x', certificates: 'nonsense' }, /X\.509/],
      [{ name: 'x', certificates: weak }, /2048 bits/],
      [{ name: 'x', permittedUsers: 'Everybody' }, /one of SelfAuthorize/],
      [{ name: 'x', refreshTokenPolicy: 'Never' }, /one of UntilRevoked/],
      [{ name: 'x', sessionMinutes: 0 }, /from 1 to 1440/],
      [{ name: 'x', refreshTokenHours: 1e9 }, /from 1 to/],
      [{ name: 'x', secret: 'mine' }, /Unrecognized field "secret"/],
    ]
    const before = (await org.call('GET', APPS)).body.length
    for (const [body, message] of bodies) {
      assertRefused(await org.call('POST', APPS, { body }), 400, 'JSON_PARSER_ERROR', message)
    }
    assert.equal((await org.call('GET', APPS)).body.length, before)
  })

  test('is named by client id, record id or name', async () => {
    const app = await create({ name: 'Named' })
    for (const name of [app.clientId, app.id, app.id.slice(0, 15), 'named']) {
      assert.equal((await org.call('POST', `${APPS}/${name}/unblock`)).status, 204)
    }
    await create({ name: 'Named' })
    assertRefused(await org.call('POST', `${APPS}/named/block`), 400, 'INVALID_INPUT', /Several apps/)
    for (const name of ['nobody', 'PlatformCLI', '%00']) {
      assertRefused(await org.call('POST', `${APPS}/${name}/block`), 404, 'NOT_FOUND', /no app/)
    }
  })

  test("opens its own org only, and is not another org's to see", async () => {
    const other = await openOrg()
    const app = await create({ name: 'Ours', runAs: org.userId })
    assertRefused(await other.call('POST', `${APPS}/${app.clientId}/rotate`), 404, 'NOT_FOUND', /no app/)
    assertRefused(await other.call('GET', `/setup/orgs/${org.org.id}/apps`), 404, 'NOT_FOUND', /another org/)
    const { access_token } = await fetchTokens(other, credentials(app.clientId, app.clientSecret))
    assert.equal(await statusWith(org, access_token), 200)
    const account = await other.create('Account', { Name: 'Theirs' })
    const elsewhere = await other.call('GET', `/sobjects/Account/${account}`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    assert.equal(elsewhere.status, 404)
  })
})

describe('a new secret', () => {
  test('works at once, and the old one a day longer', async () => {
    const app = await create({ name: 'Rotated', runAs: org.userId })
    const { status, body } = await org.call('POST', `${APPS}/${app.clientId}/rotate`)
    assert.equal(status, 200)
    assert.notEqual(body.clientSecret, app.clientSecret)
    const ask = (secret: string) => askToken(org, credentials(app.clientId, secret))
    for (const secret of [app.clientSecret, body.clientSecret]) assert.equal((await ask(secret)).status, 200)
    now = new Date(now.getTime() + 23 * 3_600_000)
    assert.equal((await ask(app.clientSecret)).status, 200)
    now = new Date(now.getTime() + 3_600_000)
    assertOAuthError(await ask(app.clientSecret), 'invalid_client', 'invalid client credentials')
    assert.equal((await ask(body.clientSecret)).status, 200)
  })

  test('may end the old one at once', async () => {
    const app = await create({ name: 'Rotated at once', runAs: org.userId })
    const { body } = await org.call('POST', `${APPS}/${app.clientId}/rotate`, { body: { overlapSeconds: 0 } })
    assertOAuthError(await askToken(org, credentials(app.clientId, app.clientSecret)), 'invalid_client')
    assert.equal((await askToken(org, credentials(app.clientId, body.clientSecret))).status, 200)
    const long = await org.call('POST', `${APPS}/${app.clientId}/rotate`, { body: { overlapSeconds: 1e9 } })
    assertRefused(long, 400, 'JSON_PARSER_ERROR', /at most/)
  })

  test('is encrypted in the database, and so is the old one', async () => {
    const app = await create({ name: 'Sealed', runAs: org.userId })
    const { body } = await org.call('POST', `${APPS}/${app.clientId}/rotate`)
    const rows = await org.db.query(sql`select * from objectry.client where client_id = ${app.clientId}`)
    const text = JSON.stringify(rows)
    assert.ok(!text.includes(app.clientSecret) && !text.includes(body.clientSecret))
    assert.ok(text.includes('old_secret'))
  })
})

describe('a session time of an app', () => {
  test('that makes no sense is brought into bounds: a minute to a day', async () => {
    const app = await create({ name: 'Odd times', runAs: org.userId })
    for (const SessionMinutes of [99_999_999, -5, 0]) {
      const body = { SessionMinutes }
      assert.equal(
        (await org.call('PATCH', `/sobjects/ConnectedApplication/${app.id}`, { body })).status,
        204,
      )
      const { access_token } = await fetchTokens(org, credentials(app.clientId, app.clientSecret))
      assert.equal(await statusWith(org, access_token), 200)
    }
  })
})

describe('blocking an app', () => {
  test('ends its tokens, in every server within a second, and gives no more', async () => {
    const port = await openPort()
    try {
      const app = await create({ name: 'Blocked', runAs: org.userId })
      const ask = () => askToken(org, credentials(app.clientId, app.clientSecret))
      const { access_token } = (await ask()).body
      const elsewhere = async () => {
        const headers = { authorization: `Bearer ${access_token}` }
        return (await fetch(`${port.address}/services/data/v64.0/sobjects`, { headers })).status
      }
      assert.deepEqual([await statusWith(org, access_token), await elsewhere()], [200, 200])
      assert.equal((await org.call('POST', `${APPS}/${app.clientId}/block`)).status, 204)
      assert.equal(await statusWith(org, access_token), 401)
      await sleep(1000)
      assert.equal(await elsewhere(), 401)
      assertOAuthError(await ask(), 'OAUTH_APP_BLOCKED')
      assertOAuthError(await askToken(org, credentials(app.clientId, 'wrong')), 'invalid_client')
      assert.equal((await org.call('POST', `${APPS}/${app.clientId}/unblock`)).status, 204)
      assert.equal((await ask()).status, 200)
    } finally {
      await port.close()
    }
  })
})

test("a client id is one org's only, and no app may take that of the built-in client", async () => {
  const other = await openOrg()
  for (const clientId of [org.clientId, 'PlatformCLI']) {
    await assert.rejects(registerClient(other.db, other.org, clientId), { code: 'DUPLICATE_VALUE' })
  }
  await registerClient(other.db, other.org, `own-${other.org.id}`)
  await assert.rejects(registerClient(org.db, org.org, `own-${other.org.id}`), { code: 'DUPLICATE_VALUE' })
})

test('the copy of an org does not share its apps', async () => {
  const home = await openOrg()
  const copy = await copyOrg(home.db, home.services, home.org, `Copy of ${home.org.id}`, undefined, SECRETS)
  const apps = await listApps(home.db, copy)
  assert.deepEqual(
    apps.map(({ clientId }) => clientId),
    ['ObjectryConsole'],
  )
  const { id } = await fetchTokens(home, credentials(home.clientId, home.clientSecret))
  assert.ok(id.includes(home.org.id))
})

test('an app whose record is in the recycle bin is unknown', async () => {
  const clientId = await makeApp(org, { enableClientCredentials: true, runAsUserId: org.userId })
  const { body } = await org.call('GET', `/sobjects/ConnectedApplication/ConsumerKey/${clientId}?fields=Id`)
  assert.equal((await org.call('DELETE', `/sobjects/ConnectedApplication/${body.Id}`)).status, 204)
  assertOAuthError(await askToken(org, credentials(clientId, 's')), 'invalid_client_id')
})
