import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approve, approvedScopes, offlineScopes } from '../../src/auth/authorize/approvals.ts'
import { OAuthError } from '../../src/auth/oauth/oauth-error.ts'
import { parseScope } from '../../src/auth/oauth/scopes.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openOrg } from '../support/org.ts'

describe('what a user has approved', () => {
  test('is the union of the last five times, for each app and user by itself', async () => {
    const { db, org, userId, clientId } = await openOrg()
    const approval = { org, clientId, userId }
    const scopes = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const scope of scopes) await approve(db, systemClock, { ...approval, scopes: [scope, 'api'] })
    const found = await approvedScopes(db, org, clientId, userId)
    assert.deepEqual(found.sort(), ['api', 'five', 'four', 'six', 'three', 'two'])
    assert.deepEqual(await approvedScopes(db, org, 'another app', userId), [])
    assert.deepEqual(await approvedScopes(db, org, clientId, 'another user'), [])
    assert.deepEqual(await approvedScopes(db, (await openOrg()).org, clientId, userId), [])
  })

  test('counts for work while away only where it included a refresh scope', async () => {
    const { db, org, userId, clientId } = await openOrg()
    await approve(db, systemClock, { org, clientId, userId, scopes: ['web'] })
    assert.deepEqual(await offlineScopes(db, org, clientId, userId), [])
    await approve(db, systemClock, { org, clientId, userId, scopes: ['api', 'offline_access'] })
    assert.deepEqual(await offlineScopes(db, org, clientId, userId), ['api', 'offline_access'])
  })
})

describe('the scopes of a request', () => {
  const app = (...scopes: string[]) => ({ scopes })

  test('are all of the app when none is named', () => {
    for (const text of [undefined, '', '  '])
      assert.deepEqual(parseScope(text, app('api', 'web')), ['api', 'web'])
  })

  test('are those that are named, once each', () => {
    assert.deepEqual(parseScope(' web  api web', app('api', 'web', 'id')), ['web', 'api'])
  })

  test('may be what another one covers', () => {
    for (const [text, scopes] of [
      ['offline_access', ['refresh_token']],
      ['refresh_token', ['offline_access']],
      ['chatter_api', ['api']],
      ['profile email', ['id']],
      ['api web openid', ['full']],
    ] as const) {
      assert.deepEqual(parseScope(text, app(...scopes)), text.split(' '))
    }
  })

  test('are refused when the app does not have them', () => {
    for (const [text, scopes] of [
      ['api', ['web']],
      ['full', ['api', 'web']],
      ['refresh_token', ['full']],
      ['everything', ['full']],
      ['api\0', ['api']],
      ['__proto__', ['api']],
      ['constructor', ['full']],
      // Names that every object has cover nothing.
      ['api', ['constructor', '__proto__', 'toString']],
    ] as const) {
      const isRefused = (error: unknown) => error instanceof OAuthError && error.error === 'invalid_scope'
      assert.throws(() => parseScope(text, app(...scopes)), isRefused)
    }
  })
})
