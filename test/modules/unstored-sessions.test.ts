import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sessions } from '../../src/auth/tokens/sessions.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createUser } from '../support/create-user.ts'
import { openOrg } from '../support/org.ts'

/* The tokens that a server gives to commands on its own machine. */

const IDLE_SECONDS = 60

test('a token that is not stored works as long as the process that made it, however long it rests', async () => {
  const { db, org, userId } = await openOrg()
  let time = Date.UTC(2026, 0, 1)
  const sessions = new Sessions(db, () => () => new Date(time), IDLE_SECONDS)
  const token = sessions.issueUnstored(org, userId)
  for (let day = 0; day < 3; day++) {
    assert.equal((await sessions.find(token))?.userId, userId)
    time += 86_400_000
  }
})

test('no other process takes it', async () => {
  const { db, org, userId, call } = await openOrg()
  const token = new Sessions(db, () => systemClock, IDLE_SECONDS).issueUnstored(org, userId)
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await call('GET', '/sobjects', { headers })).status, 401)
})

test('it stops working when its user is no longer active', async () => {
  const o = await openOrg()
  const id = await createUser(o, 'leaver')
  const headers = { authorization: `Bearer ${o.services.sessions.issueUnstored(o.org, id)}` }
  assert.equal((await o.call('GET', '/sobjects', { headers })).status, 200)
  await o.call('PATCH', `/sobjects/User/${id}`, { body: { IsActive: false } })
  assert.equal((await o.call('GET', '/sobjects', { headers })).status, 401)
})
