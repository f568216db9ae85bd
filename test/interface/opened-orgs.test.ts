import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { createUser } from '../support/create-user.ts'
import { ownEngine } from '../support/engine.ts'
import { makeApp } from '../support/make-app.ts'
import { postForm } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'

/* POST /setup/orgs/<org>/token: an administrator's token under the one it is asked for with. Two servers stand before the orgs. */

let o: TestOrg
let otherServer: TestOrg['server']
/** An org that the first one made. */
let other: string

let now = Date.now()
const later = (seconds: number) => {
  now += seconds * 1000
}

before(async () => {
  const clock = () => new Date(now)
  const engine = await ownEngine()
  o = await openOrg({ clock, engine, settings: { allowFaults: 'true' } })
  const config = readConfig({}, { logLevel: 'silent', allowFaults: 'true' })
  otherServer = assemble(engine, config, clock, SECRETS).server
  const { status, body, text } = await o.call('POST', '/setup/orgs', { body: { name: 'Other' } })
  assert.equal(status, 201, text)
  other = body.id
})

interface Taker {
  readonly token: string
  readonly clientId: string
}

/** The token of an app, as the token endpoint gives it. */
async function issue(userId = o.userId, idleSeconds?: number): Promise<Taker> {
  const clientId = await makeApp(o)
  const grant = { org: o.org, clientId, userId, scopes: ['api'], grantType: 'test', idleSeconds }
  return { token: await o.services.sessions.issue(grant), clientId }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const ask = (token: string, org = 'current') =>
  o.call('POST', `/setup/orgs/${org}/token`, { headers: bearer(token) })

async function open(token: string, org?: string): Promise<string> {
  const { status, body, text } = await ask(token, org)
  assert.equal(status, 201, text)
  return body.token
}

/** Returns the status that each of the servers answers to a token. */
async function statuses(token: string): Promise<number[]> {
  const request = { method: 'GET', url: '/services/data/v64.0/limits', headers: bearer(token) } as const
  const answers = [await o.server.inject(request), await otherServer.inject(request)]
  return answers.map(({ statusCode }) => statusCode)
}

const VALID = [200, 200]
const ENDED = [401, 401]

/** The other server hears of it within half a second. */
async function assertEnded(tokens: readonly string[]): Promise<void> {
  await sleep(600)
  for (const token of tokens) assert.deepEqual(await statuses(token), ENDED)
}

const revoke = async (token: string) => {
  const { status, text } = await postForm(o, 'revoke', { token })
  assert.equal(status, 200, text)
}

/** Tokens of both orgs that are valid. */
async function openBoth(token: string): Promise<string[]> {
  const tokens = [await open(token), await open(token, other)]
  for (const one of tokens) assert.deepEqual(await statuses(one), VALID)
  return tokens
}

describe('a token that an administrator is given by a token', () => {
  test('opens the org that was asked for, on every server', async () => {
    const opened = await open((await issue()).token, other)
    const { body } = await o.call('GET', '/setup/orgs/current', { headers: bearer(opened) })
    assert.equal(body.id, other)
    assert.deepEqual(await statuses(opened), VALID)
  })

  test('is revoked like any other, without the one that it was asked for with', async () => {
    const { token } = await issue()
    const opened = await openBoth(token)
    for (const one of opened) await revoke(one)
    await assertEnded(opened)
    assert.deepEqual(await statuses(token), VALID)
  })

  const ends: readonly [string, (taker: Taker & { readonly userId: string }) => Promise<unknown>][] = [
    ['that token is revoked', ({ token }) => revoke(token)],
    ['its app is blocked', ({ clientId }) => o.call('POST', `/setup/orgs/current/apps/${clientId}/block`)],
    [
      'its user is deactivated',
      ({ userId }) => o.call('POST', `/setup/orgs/current/users/${userId}/deactivate`),
    ],
    [
      'the password of its user is set',
      ({ userId }) =>
        o.call('POST', `/sobjects/User/${userId}/password`, { body: { NewPassword: 'an0ther Battery' } }),
    ],
  ]
  for (const [index, [when, end]] of ends.entries()) {
    test(`ends in every org when ${when}`, async () => {
      const userId = await createUser(o, `taker${index}`)
      const taker = await issue(userId)
      const opened = await openBoth(taker.token)
      const further = await open(opened[1]!)
      await end({ ...taker, userId })
      await assertEnded([taker.token, ...opened, further])
    })
  }

  test('ends when its own user is deactivated; the next one is of another administrator', async () => {
    const { token } = await issue()
    const opened = await open(token, other)
    const asFirst = (method: string, path: string, body?: object) =>
      o.call(method, `/setup/orgs/current/users${path}`, { headers: bearer(opened), body })
    const [first] = (await asFirst('GET', '')).body
    const person = { username: 'second@other.test', email: 'second@other.test', lastName: 'Second' }
    const made = await asFirst('POST', '', { ...person, profile: 'System Administrator' })
    assert.equal(made.status, 201, made.text)
    assert.equal((await asFirst('POST', `/${first.id}/deactivate`)).status, 204)
    await assertEnded([opened])
    const { body } = await o.call('GET', '/services/oauth2/userinfo', {
      headers: bearer(await open(token, other)),
    })
    assert.equal(body.preferred_username, person.username)
  })

  test('expires with the token above it, which its use does not put off', async () => {
    const { token } = await issue(o.userId, 60)
    const opened = [await open(token), await open(token, other)]
    later(50)
    for (const one of opened) assert.deepEqual(await statuses(one), VALID)
    later(20)
    for (const one of opened) assert.deepEqual(await statuses(one), ENDED)
  })

  test('works in an org whose clock was put forward', async () => {
    const { token } = await issue(o.userId, 60)
    const opened = await open(token, other)
    const headers = bearer(opened)
    const { status, text } = await o.call('PUT', '/setup/orgs/current/clock', {
      headers,
      body: { advanceSeconds: 3600 },
    })
    assert.equal(status, 200, text)
    await sleep(600)
    assert.deepEqual(await statuses(await open(token, other)), VALID)
  })

  test('stands under ten others at most', async () => {
    let { token } = await issue()
    for (let depth = 0; depth < 10; depth++) token = await open(token)
    assert.deepEqual(await statuses(token), VALID)
    const { status, body } = await ask(token)
    assert.deepEqual([status, body[0].errorCode], [400, 'INVALID_INPUT'])
  })

  test('cannot change the password of its user', async () => {
    const headers = bearer(await open((await issue()).token))
    const sent = { headers, body: { NewPassword: 'an0ther Battery' } }
    const { status, body } = await o.call('POST', `/sobjects/User/${o.userId}/password`, sent)
    assert.deepEqual([status, body[0].errorCode], [403, 'INSUFFICIENT_ACCESS'])
  })
})

test('the token of the server itself gives one that is not stored, for the same server', async () => {
  const own = o.services.sessions.issueUnstored(o.org, o.userId)
  for (const org of ['current', other]) assert.deepEqual(await statuses(await open(own, org)), [200, 401])
})

test('a token that lets a user in ends with the token that it was asked for with', async () => {
  const { token } = await issue()
  const { status, body, text } = await o.call('POST', '/setup/orgs/current/users/current/access', {
    headers: bearer(token),
  })
  assert.equal(status, 201, text)
  assert.deepEqual(await statuses(body.token), VALID)
  await revoke(token)
  await assertEnded([token, body.token])
})
