import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approveDevice, findUserCode } from '../../src/auth/tokens/device-codes.ts'
import { createUser } from '../support/create-user.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, assertOAuthError, fetchTokens, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'
import { thisSecond } from '../support/this-second.ts'

/* Tokens, codes and sessions of apps and users that a restore removes, blocks or deactivates end with it. */

let o: TestOrg
const now = thisSecond()
const clock = () => now

const SETTINGS = { enableDeviceFlow: true, enableClientCredentials: true, scopes: ['api', 'refresh_token'] }

const startDevice = (client_id: string) => fetchTokens(o, { response_type: 'device_code', client_id })
const pollDevice = (client_id: string, code: string) => ({ grant_type: 'device', client_id, code })

async function approve(userCode: string, userId: string): Promise<void> {
  assert.ok(await approveDevice(o.db, clock, (await findUserCode(o.db, userCode, clock))!, userId))
}

/** An access token, a refresh token and an approved code of a user. */
async function giveAccess(client_id: string, userId: string) {
  const [device, other] = [await startDevice(client_id), await startDevice(client_id)]
  await approve(device.user_code, userId)
  await approve(other.user_code, userId)
  const tokens = await fetchTokens(o, pollDevice(client_id, device.device_code))
  const { access_token, refresh_token } = tokens
  return {
    access: access_token as string,
    refresh: { grant_type: 'refresh_token', client_id, client_secret: 's', refresh_token },
    code: pollDevice(client_id, other.device_code),
  }
}

type Access = Awaited<ReturnType<typeof giveAccess>>

async function assertEnded({ access, refresh, code }: Access): Promise<void> {
  assert.equal(await statusWith(o, access), 401)
  assertOAuthError(await askToken(o, refresh), 'invalid_grant')
  assertOAuthError(await askToken(o, code), 'invalid_grant')
}

async function assertLasts({ access, refresh, code }: Access): Promise<void> {
  assert.equal(await statusWith(o, access), 200)
  await fetchTokens(o, refresh)
  await fetchTokens(o, code)
}

before(async () => {
  o = await openOrg({ clock })
})

describe('a restore ends the access', () => {
  test('of an app that was made since, also once the app is back', async () => {
    await saveSnapshot(o, 'before')
    const access = await giveAccess(await makeApp(o, SETTINGS), o.userId)
    await saveSnapshot(o, 'after')
    await restoreSnapshot(o, 'before')
    assert.equal(await statusWith(o, access.access), 401)
    await restoreSnapshot(o, 'after')
    await assertEnded(access)
  })

  for (const [how, change, undo] of [
    ['blocked', { IsBlocked: true }, { IsBlocked: false }],
    ['deleted', undefined, undefined],
  ] as const) {
    test(`of an app that was ${how} then and works since`, async () => {
      const clientId = await makeApp(o, SETTINGS)
      const found = await o.call('GET', `/sobjects/ConnectedApplication/ConsumerKey/${clientId}?fields=Id`)
      const path = `/sobjects/ConnectedApplication/${found.body.Id}`
      const call = async (body: object | undefined) => {
        const { status, text } = await o.call(body ? 'PATCH' : 'DELETE', path, { body })
        assert.equal(status, 204, text)
      }
      await saveSnapshot(o, 'works')
      await call(change)
      await saveSnapshot(o, 'before')
      if (undo === undefined) await restoreSnapshot(o, 'works')
      else await call(undo)
      const access = await giveAccess(clientId, o.userId)
      await restoreSnapshot(o, 'before')
      await restoreSnapshot(o, 'works')
      await assertEnded(access)
    })
  }

  test('of a user who was created since, also once the user is back', async () => {
    const clientId = await makeApp(o, SETTINGS)
    await saveSnapshot(o, 'before')
    const access = await giveAccess(clientId, await createUser(o, 'late'))
    await saveSnapshot(o, 'after')
    await restoreSnapshot(o, 'before')
    assert.equal(await statusWith(o, access.access), 401)
    await restoreSnapshot(o, 'after')
    await assertEnded(access)
  })

  test('of a user who was inactive then, but for refresh tokens, as a deactivation does', async () => {
    const clientId = await makeApp(o, SETTINGS)
    const user = await createUser(o, 'returned')
    const setActive = (IsActive: boolean) => o.call('PATCH', `/sobjects/User/${user}`, { body: { IsActive } })
    await setActive(false)
    await saveSnapshot(o, 'before')
    await setActive(true)
    const access = await giveAccess(clientId, user)
    await restoreSnapshot(o, 'before')
    assertOAuthError(await askToken(o, access.refresh), 'inactive_user')
    await setActive(true)
    assert.equal(await statusWith(o, access.access), 401)
    await fetchTokens(o, access.refresh)
  })
})

test('a restore leaves the access of apps and users that stay, and that of other orgs', async () => {
  const clientId = await makeApp(o, SETTINGS)
  await saveSnapshot(o, 'before')
  const access = await giveAccess(clientId, o.userId)
  const other = await openOrg()
  const theirs = await fetchTokens(other, {
    grant_type: 'client_credentials',
    client_id: await makeApp(other, { ...SETTINGS, runAsUserId: other.userId }),
    client_secret: 's',
  })
  await restoreSnapshot(o, 'before')
  await assertLasts(access)
  assert.equal(await statusWith(other, theirs.access_token), 200)
})
