import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createUser } from '../support/create-user.ts'
import { makePublicApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, postForm, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const PASSWORD = 'a password of the tests'

let off: TestOrg
let on: TestOrg

before(async () => {
  off = await openOrg()
  on = await openOrg({ settings: { allowPasswordFlow: 'true' } })
  for (const o of [off, on]) {
    await setPassword(o.db, o.org, await createUser(o, 'person'), PASSWORD, systemClock)
  }
})

const ask = (o: TestOrg, more: object = {}) =>
  askToken(o, {
    grant_type: 'password',
    ...{ username: 'person@objectry.test', password: PASSWORD },
    ...{ client_id: o.clientId, client_secret: o.clientSecret },
    ...more,
  })

describe('a password', () => {
  test('gives no token unless the setting says so, and the answer is that of a wrong one', async () => {
    const blocked = await ask(off)
    assertOAuthError(blocked, 'invalid_grant', 'authentication failure')
    for (const wrong of [{ password: 'wrong' }, { username: 'nobody@objectry.test' }, { password: 'a\0b' }]) {
      const answer = await ask(on, wrong)
      assert.deepEqual([answer.status, answer.text], [blocked.status, blocked.text])
    }
  })

  test('gives a token without scope or refresh token, into which nobody can look', async () => {
    const { status, body } = await ask(on)
    assert.equal(status, 200)
    assert.deepEqual([body.scope, body.refresh_token], [undefined, undefined])
    assert.ok(body.signature)
    assert.equal(await statusWith(on, body.access_token), 200)
    const client = { client_id: on.clientId, client_secret: on.clientSecret }
    const looked = await postForm(on, 'introspect', { token: body.access_token, ...client })
    assert.deepEqual(looked.body, { active: false })
  })

  test('is not even compared for a client that does not prove who it is', async () => {
    assertOAuthError(await ask(on, { client_secret: 'wrong' }), 'invalid_client')
    assertOAuthError(await ask(on, { client_secret: undefined }), 'invalid_client')
    const client_id = await makePublicApp(on)
    assertOAuthError(await ask(on, { client_id, client_secret: undefined }), 'invalid_client')
    assertOAuthError(await ask(on, { password: undefined }), 'invalid_request')
  })

  test('of a user who is not active gives that away only when it is right', async () => {
    const userId = await createUser(on, 'left', { IsActive: false })
    await setPassword(on.db, on.org, userId, PASSWORD, systemClock)
    const username = 'left@objectry.test'
    assertOAuthError(
      await ask(on, { username, password: 'wrong' }),
      'invalid_grant',
      'authentication failure',
    )
    assertOAuthError(await ask(on, { username }), 'inactive_user', 'user is inactive')
  })

  test('that has to be changed first gives no token', async () => {
    const userId = await createUser(on, 'fresh')
    await setPassword(on.db, on.org, userId, PASSWORD, systemClock, { mustChange: true })
    assertOAuthError(
      await ask(on, { username: 'fresh@objectry.test' }),
      'invalid_grant',
      'authentication failure',
    )
  })
})
