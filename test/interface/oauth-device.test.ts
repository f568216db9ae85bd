import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approveDevice, denyDevice, findUserCode } from '../../src/auth/tokens/device-codes.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, HOST, ORIGIN, statusWith } from '../support/oauth.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

let org: TestOrg
let now = thisSecond()
const clock = () => now
const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
let client_id: string

before(async () => {
  org = await openOrg({ clock })
  client_id = await makeApp(org, { enableDeviceFlow: true, scopes: ['api', 'refresh_token'] })
})

const start = (more: object = {}) => fetchTokens(org, { response_type: 'device_code', client_id, ...more })
const poll = (code: string, more: object = {}) =>
  askToken(org, { grant_type: 'device', client_id, code, ...more })
const pollAsStandard = (device_code: string) =>
  askToken(org, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id, device_code })

const waiting = async (userCode: string) => (await findUserCode(org.db, userCode, clock))!
const agree = async (userCode: string, userId = org.userId) =>
  assert.ok(await approveDevice(org.db, clock, await waiting(userCode), userId))

describe('a device', () => {
  test('begins at the token endpoint and gets the code and the address for its user', async () => {
    const body = await start()
    assert.deepEqual(Object.keys(body).sort(), ['device_code', 'interval', 'user_code', 'verification_uri'])
    assert.match(body.user_code, /^[A-Z0-9]{8}$/)
    assert.equal(body.verification_uri, `${ORIGIN}/setup/connect`)
    assert.equal(body.interval, 5)
  })

  test('begins with a form in parts too, as an old client sends it', async () => {
    const boundary = 'x-boundary'
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const send = async (payload: string) =>
      makeAnswer(
        await org.server.inject({
          method: 'POST',
          url: '/services/oauth2/token',
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, host: HOST },
          payload,
        }),
      )
    const begun = await send(
      `${part('response_type', 'device_code')}${part('client_id', client_id)}--${boundary}--\r\n`,
    )
    assert.equal(begun.status, 200, begun.text)
    assert.ok(begun.body.device_code)
    const text = 'the parameters must be form-encoded'
    for (const payload of [
      `${part('grant_type', 'client_credentials')}--${boundary}--\r\n`,
      'nonsense',
      '',
    ]) {
      assertOAuthError(await send(payload), 'invalid_request', text)
    }
  })

  test('waits until its user has agreed, and then gets its tokens once', async () => {
    const { device_code, user_code } = await start()
    assertOAuthError(await poll(device_code), 'authorization_pending')
    wait(5)
    assertOAuthError(await poll(device_code), 'authorization_pending')
    await agree(user_code)
    wait(5)
    const { status, body } = await poll(device_code)
    assert.equal(status, 200)
    assert.match(body.refresh_token, /^5Aep861/)
    assert.equal(body.scope, 'api refresh_token')
    assert.equal(await statusWith(org, body.access_token), 200)
    wait(5)
    assertOAuthError(await poll(device_code), 'invalid_grant')
  })

  test('may ask in the words of the standard', async () => {
    const { device_code, user_code } = await start()
    assertOAuthError(await pollAsStandard(device_code), 'authorization_pending')
    await agree(user_code)
    wait(5)
    assert.equal((await pollAsStandard(device_code)).status, 200)
  })

  test('that polls too often gets slow_down', async () => {
    const { device_code } = await start()
    assertOAuthError(await poll(device_code), 'authorization_pending')
    wait(2)
    assertOAuthError(await poll(device_code), 'slow_down')
    wait(5)
    assertOAuthError(await poll(device_code), 'authorization_pending')
  })

  test('is turned away when its user says no', async () => {
    const { device_code, user_code } = await start()
    assert.ok(await denyDevice(org.db, clock, await waiting(user_code)))
    assertOAuthError(await poll(device_code), 'access_denied')
    assert.equal(await findUserCode(org.db, user_code, clock), undefined)
  })

  test('has ten minutes', async () => {
    const { device_code, user_code } = await start()
    const device = await waiting(user_code)
    wait(600)
    assertOAuthError(await poll(device_code), 'invalid_grant')
    assert.equal(await findUserCode(org.db, user_code, clock), undefined)
    assert.equal(await approveDevice(org.db, clock, device, org.userId), false)
  })

  test('gets the scopes that it asks for, if its app has them', async () => {
    const { device_code, user_code } = await start({ scope: 'api' })
    await agree(user_code)
    const { body } = await poll(device_code)
    assert.deepEqual([body.scope, body.refresh_token], ['api', undefined])
    assertOAuthError(
      await askToken(org, { response_type: 'device_code', client_id, scope: 'full' }),
      'invalid_scope',
    )
  })

  test('is refused for an app without that flow, an unknown one, a wrong secret, and none', async () => {
    const off = await makeApp(org)
    const begin = (more: object) => askToken(org, { response_type: 'device_code', ...more })
    assertOAuthError(await begin({ client_id: off }), 'unsupported_grant_type')
    assertOAuthError(await begin({ client_id: 'PlatformCLI' }), 'unsupported_grant_type')
    assertOAuthError(await begin({ client_id: 'nobody' }), 'invalid_client_id')
    assertOAuthError(await begin({}), 'invalid_request')
    assertOAuthError(await begin({ client_id, client_secret: 'wrong' }), 'invalid_client')
  })

  test("cannot use another client's code, nor one of nobody", async () => {
    const { device_code, user_code } = await start()
    await agree(user_code)
    const other = await makeApp(org, { enableDeviceFlow: true })
    assertOAuthError(await poll(device_code, { client_id: other }), 'invalid_grant')
    for (const code of ['nonsense', 'a\0b', 'x'.repeat(9000)])
      assertOAuthError(await poll(code), 'invalid_grant')
    assertOAuthError(await poll(''), 'invalid_request', 'missing required parameter: code')
    assert.equal((await poll(device_code)).status, 200)
  })

  test('gets one set of tokens, however many of its requests come at once', async () => {
    const { device_code, user_code } = await start()
    await agree(user_code)
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(device_code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('of a user who has left meanwhile gets nothing', async () => {
    const { device_code, user_code } = await start()
    await agree(user_code, await createUser(org, 'left', { IsActive: false }))
    assertOAuthError(await poll(device_code), 'inactive_user')
  })
})

describe('the code that a user types', () => {
  test('is found in whatever case, with blanks and hyphens', async () => {
    const { user_code } = await start()
    const typed = ` ${user_code.slice(0, 4).toLowerCase()}-${user_code.slice(4)} `
    assert.equal((await findUserCode(org.db, typed, clock))?.userCode, user_code)
    for (const none of ['', 'a\0b', '\0'.repeat(8), 'BBBBBBBB', 'x'.repeat(100_000)]) {
      assert.equal(await findUserCode(org.db, none, clock), undefined)
    }
  })

  test('is answered once', async () => {
    const { user_code } = await start()
    const device = await waiting(user_code)
    assert.equal(await approveDevice(org.db, clock, device, org.userId), true)
    assert.equal(await denyDevice(org.db, clock, device), false)
    assert.equal(await approveDevice(org.db, clock, device, org.userId), false)
  })
})
